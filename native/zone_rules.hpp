// How relevance zones grow (RZOP paper, sections III and IV).
#pragma once

#include "threats.hpp"

namespace tengen {

// Every segment open to the defender with u empty squares joins Z_i for all i >= max(1, u - head_start).
template <class PositionType>
void add_defender_segments(const PositionType& position, typename PositionType::ZoneType& zone, int head_start) {
    typename PositionType::SquareSet squares;  // each zone holds the one before it, and segments with one stone less
    int listed = position.k();
    for (int order = 1; order <= PositionType::ZoneType::orders; ++order) {
        auto& set = zone.z[std::size_t(order) - 1];
        const int least = position.k() - order - head_start;
        if (least <= 0) {  // even segments without a stone: nearly every square
            set |= position.empty();
            continue;
        }
        position.each_open(defender, least, listed - 1, [&](SegmentId id) { position.each_empty(id, [&](Square s) { squares.add(s); }); });
        listed = least;
        set |= squares;
    }
}

// The zone of a move that completes a row.
template <class PositionType>
typename PositionType::ZoneType zone_of_row(PositionType& position, const Stones& move) {
    typename PositionType::ZoneType zone;
    for (Square s : move) position.place(s, attacker);
    add_defender_segments(position, zone, 0);
    for (Square s : move) position.remove(s);
    for (Square s : move) zone.add_to_all(s);
    return zone;
}

// What replies that do not meet the attacker's threats add: he completes a row then, unless the defender was quicker.
template <class PositionType>
void add_threat_zone(const PositionType& position, typename PositionType::ZoneType& zone) {
    position.squares_on_open(attacker, std::max(1, position.k() - position.p())).each([&zone](Square s) { zone.add_to_all(s); });
    add_defender_segments(position, zone, position.p());
}

}  // namespace tengen
