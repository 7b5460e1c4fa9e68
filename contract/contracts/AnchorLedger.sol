// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Anchors of the BeFAQT provenance protocol, versions 1 and 2
/// @notice Keeps one root per anchor, in order and without gaps. Anyone may read; one account writes.
/// @dev Nothing here can change or remove an anchor: no role may, and the contract cannot be upgraded.
///
/// Gas decides the layout. A fresh slot costs 22,100, a root fills one, and its facts (time, boxes, records) would take
/// another. Facts fit in 85 bits, so three anchors share a slot; until the third comes they wait in `_state`, which is
/// written anyway for the count. The first anchorer is part of the code, since reading it from there is free.
contract AnchorLedger {
    /// @dev Bits 0–169: facts of up to two anchors that wait for their third. 170–233: count. 234: `FIRST`.
    uint256 private _state;
    uint256 private constant COUNT_AT = 170;
    uint256 private constant WAITING = (1 << COUNT_AT) - 1;
    /// @dev The role has not changed hands: the anchorer is `FIRST_ANCHORER`, else `_laterAnchorer`.
    uint256 private constant FIRST = 1 << 234;

    address private immutable FIRST_ANCHORER;
    address private _laterAnchorer;

    /// @notice Appoints and revokes the anchorer. Cannot write anchors itself.
    address public admin;
    /// @notice Who may accept the anchorer role; zero when nobody was asked.
    address public anchorerOffer;
    /// @notice Who may accept the admin role; zero when nobody was asked.
    address public adminOffer;

    mapping(uint64 index => bytes32 root) private _roots;
    /// @dev Facts of the anchors 3n, 3n + 1 and 3n + 2, 85 bits each: 32 of time, 26 of boxes, 27 of records.
    mapping(uint64 third => uint256 facts) private _facts;
    uint256 private constant FACTS_BITS = 85;
    uint256 private constant BOXES_AT = 27;
    uint256 private constant TIME_AT = 53;
    /// @notice The most boxes, and the most records, that one anchor can cover.
    uint32 public constant MAX_BOXES = (1 << 26) - 1;
    uint32 public constant MAX_RECORDS = (1 << 27) - 1;

    /// @notice Anchor `index` was written: `root` covers `boxes` boxes with `records` records not anchored before.
    event Anchored(uint64 indexed index, bytes32 root, uint32 boxes, uint32 records);
    /// @notice The admin asked `candidate` to become the anchorer.
    event AnchorerOffered(address indexed candidate);
    /// @notice The anchorer changed; `next` is zero when the role was revoked.
    event AnchorerChanged(address indexed previous, address indexed next);
    /// @notice The admin asked `candidate` to become the admin.
    event AdminOffered(address indexed candidate);
    /// @notice The admin changed.
    event AdminChanged(address indexed previous, address indexed next);

    error NotAnchorer(address caller);
    error NotAdmin(address caller);
    error NotOffered(address caller);
    error NoAdmin();
    /// @param expected the index that the next anchor has to name
    error WrongIndex(uint64 expected);
    error NoSuchAnchor(uint64 index);
    /// @notice More than `MAX_BOXES` boxes or `MAX_RECORDS` records.
    error TooMany();

    modifier onlyAdmin() {
        if (msg.sender != admin) revert NotAdmin(msg.sender);
        _;
    }

    /// @param admin_ appoints and revokes the anchorer; must not be zero, or the role could never be revoked
    /// @param anchorer_ writes anchors from the start; zero to appoint one later
    constructor(address admin_, address anchorer_) {
        if (admin_ == address(0)) revert NoAdmin();
        admin = admin_;
        FIRST_ANCHORER = anchorer_;
        _state = FIRST;
        emit AdminChanged(address(0), admin_);
        emit AnchorerChanged(address(0), anchorer_);
    }

    /// @notice Writes the next anchor. Sent twice, the second is refused, so a retry is harmless.
    /// @param index what the writer expects `count()` to be
    /// @param root commits to the states of boxes: in version 1 Merkle Tree Hash (RFC 9162), in version 2 root of the box map
    /// @param boxes number of boxes that it commits to
    /// @param records number of records that no earlier anchor covers
    function anchor(uint64 index, bytes32 root, uint32 boxes, uint32 records) external {
        uint256 state = _state;
        if (msg.sender != _anchorer(state)) revert NotAnchorer(msg.sender);
        if (index != _count(state)) revert WrongIndex(_count(state));
        if (boxes > MAX_BOXES || records > MAX_RECORDS) revert TooMany();
        uint256 facts = (uint256(uint32(block.timestamp)) << TIME_AT) | (uint256(boxes) << BOXES_AT) | records;
        uint64 place = index % 3;
        if (place == 0) state = (state & ~WAITING) | facts;
        else if (place == 1) state |= facts << FACTS_BITS;
        else _facts[index / 3] = (state & WAITING) | (facts << (2 * FACTS_BITS));
        _state = state + (1 << COUNT_AT);
        _roots[index] = root;
        emit Anchored(index, root, boxes, records);
    }

    /// @notice Reads one anchor.
    /// @return root as it was written
    /// @return time of its block, seconds since 1970
    /// @return boxes number of boxes that the root commits to
    /// @return records number of records that no earlier anchor covers
    function anchorOf(uint64 index) external view returns (bytes32 root, uint64 time, uint32 boxes, uint32 records) {
        uint256 state = _state;
        uint64 next = _count(state);
        if (index >= next) revert NoSuchAnchor(index);
        uint256 facts = (index / 3 < next / 3 ? _facts[index / 3] : state) >> (FACTS_BITS * (index % 3));
        return (
            _roots[index],
            uint32(facts >> TIME_AT),
            uint32(facts >> BOXES_AT) & MAX_BOXES,
            uint32(facts) & MAX_RECORDS
        );
    }

    /// @notice Number of anchors, and the index of the next one.
    function count() external view returns (uint64) {
        return _count(_state);
    }

    /// @notice May write anchors; the zero address when the role was revoked.
    function anchorer() external view returns (address) {
        return _anchorer(_state);
    }

    /// @notice Asks `candidate` to take over as anchorer. The present one goes on until it accepts.
    function offerAnchorer(address candidate) external onlyAdmin {
        anchorerOffer = candidate;
        emit AnchorerOffered(candidate);
    }

    /// @notice Takes over as anchorer. A role handed to an account without a key would stop the ledger: hence two steps.
    function acceptAnchorer() external {
        if (msg.sender != anchorerOffer) revert NotOffered(msg.sender);
        _changeAnchorer(msg.sender);
    }

    /// @notice Takes the role away in one step, an open offer too. For a key that was lost or stolen.
    function revokeAnchorer() external onlyAdmin {
        _changeAnchorer(address(0));
    }

    /// @notice Asks `candidate` to take over as admin. The present one goes on until it accepts.
    function offerAdmin(address candidate) external onlyAdmin {
        adminOffer = candidate;
        emit AdminOffered(candidate);
    }

    /// @notice Takes over as admin.
    function acceptAdmin() external {
        if (msg.sender != adminOffer) revert NotOffered(msg.sender);
        emit AdminChanged(admin, msg.sender);
        admin = msg.sender;
        delete adminOffer;
    }

    function _changeAnchorer(address next) private {
        uint256 state = _state;
        emit AnchorerChanged(_anchorer(state), next);
        _state = state & ~FIRST;
        _laterAnchorer = next;
        delete anchorerOffer;
    }

    function _anchorer(uint256 state) private view returns (address) {
        return state & FIRST != 0 ? FIRST_ANCHORER : _laterAnchorer;
    }

    function _count(uint256 state) private pure returns (uint64) {
        return uint64(state >> COUNT_AT);
    }
}
