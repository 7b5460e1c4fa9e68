// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AnchorLedger} from '../contracts/AnchorLedger.sol';

/// @dev The part of the test machine that we need.
interface Vm {
    function prank(address sender) external;
    function warp(uint256 time) external;
    function expectRevert(bytes calldata reason) external;
    function assume(bool condition) external;
}

/// @dev Fuzzed on EDR: any caller, any index, any values.
contract AnchorLedgerTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256('hevm cheat code')))));
    address private constant ADMIN = address(0xad);
    address private constant ANCHORER = address(0xac);
    AnchorLedger private ledger;

    function setUp() public {
        ledger = new AnchorLedger(ADMIN, ANCHORER);
    }

    /// @dev Anchors share slots in threes: every number of them, with every bit of each, stays apart.
    function testFuzz_WhatIsWrittenIsReadAndStays(
        bytes32[8] memory roots,
        uint32[8] memory times,
        uint32[8] memory boxes,
        uint32[8] memory records
    ) public {
        for (uint64 i = 0; i < 8; i++) {
            boxes[i] &= ledger.MAX_BOXES();
            records[i] &= ledger.MAX_RECORDS();
            vm.warp(times[i]);
            write(i, roots[i], boxes[i], records[i]);
            for (uint64 j = 0; j <= i; j++) expect(j, roots[j], times[j], boxes[j], records[j]);
            require(ledger.count() == i + 1);
        }
    }

    function testFuzz_TooManyAreRefused(uint32 boxes, uint32 records) public {
        bool fits = boxes <= 67_108_863 && records <= 134_217_727;
        vm.prank(ANCHORER);
        if (!fits) vm.expectRevert(abi.encodeWithSelector(AnchorLedger.TooMany.selector));
        ledger.anchor(0, bytes32(uint256(1)), boxes, records);
        require(ledger.count() == (fits ? 1 : 0));
    }

    function testFuzz_TheRoleMovesWhateverWaitsInItsSlot(address next, uint32 boxes, uint8 before) public {
        vm.assume(next != address(0));
        boxes &= ledger.MAX_BOXES();
        uint64 n = before % 4;
        for (uint64 i = 0; i < n; i++) write(i, bytes32(uint256(i + 1)), boxes, 7);
        vm.prank(ADMIN);
        ledger.offerAnchorer(next);
        vm.prank(next);
        ledger.acceptAnchorer();
        require(ledger.anchorer() == next && ledger.count() == n);
        vm.prank(next);
        ledger.anchor(n, bytes32(uint256(n + 1)), boxes, 7);
        for (uint64 i = 0; i <= n; i++) expect(i, bytes32(uint256(i + 1)), uint64(block.timestamp), boxes, 7);
    }

    function testFuzz_AnyOtherIndexIsRefused(uint64 index, uint8 before) public {
        uint64 n = before % 4;
        vm.assume(index != n);
        for (uint64 i = 0; i < n; i++) write(i, bytes32(uint256(1)), 1, 1);
        vm.prank(ANCHORER);
        vm.expectRevert(abi.encodeWithSelector(AnchorLedger.WrongIndex.selector, n));
        ledger.anchor(index, bytes32(uint256(2)), 1, 1);
        require(ledger.count() == n);
    }

    function testFuzz_StrangersMayNothing(address stranger) public {
        vm.assume(stranger != ADMIN && stranger != ANCHORER);
        bytes memory notAdmin = abi.encodeWithSelector(AnchorLedger.NotAdmin.selector, stranger);
        refused(stranger, notAdmin);
        ledger.offerAnchorer(stranger);
        refused(stranger, notAdmin);
        ledger.revokeAnchorer();
        refused(stranger, notAdmin);
        ledger.offerAdmin(stranger);
        refused(stranger, abi.encodeWithSelector(AnchorLedger.NotAnchorer.selector, stranger));
        ledger.anchor(0, bytes32(0), 0, 0);
    }

    function testFuzz_NobodyTakesARoleThatWasNotOffered(address stranger) public {
        vm.assume(stranger != address(0));
        bytes memory notOffered = abi.encodeWithSelector(AnchorLedger.NotOffered.selector, stranger);
        refused(stranger, notOffered);
        ledger.acceptAnchorer();
        refused(stranger, notOffered);
        ledger.acceptAdmin();
    }

    function testFuzz_ReadingPastTheEndIsRefused(uint64 index) public {
        vm.expectRevert(abi.encodeWithSelector(AnchorLedger.NoSuchAnchor.selector, index));
        ledger.anchorOf(index);
    }

    function write(uint64 index, bytes32 root, uint32 boxes, uint32 records) private {
        vm.prank(ANCHORER);
        ledger.anchor(index, root, boxes, records);
    }

    function refused(address caller, bytes memory reason) private {
        vm.prank(caller);
        vm.expectRevert(reason);
    }

    function expect(uint64 index, bytes32 root, uint64 time, uint32 boxes, uint32 records) private view {
        (bytes32 r, uint64 t, uint32 b, uint32 n) = ledger.anchorOf(index);
        require(r == root && t == time && b == boxes && n == records, 'anchor differs');
    }
}
