// What the searches' doors to Python share.
#pragma once

#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>

#include "bindings.hpp"
#include "proof_search.hpp"
#include "visits.hpp"

namespace tengen {

// A position as Python hands it over.
struct Setup {
    int width, height, k, p;
    bool maker_breaker;
    std::vector<Square> attackers, defenders;

    void check(const std::vector<Square>& squares) const {
        for (Square s : squares)
            if (s >= width * height) throw nanobind::value_error("a stone is off the board");
    }

    template <class PositionType>
    PositionType position(const Geometry& geometry) const {
        PositionType position(geometry, p, maker_breaker);
        for (Square s : attackers) position.place(s, attacker);
        for (Square s : defenders) position.place(s, defender);
        return position;
    }

    // Calls `search` with the kind of position that is fastest for this game, and its geometry.
    template <class Search>
    auto dispatch(Search search) const {
        const auto kept = Geometry::of(width, height, k);
        const Geometry& geometry = *kept;
        if (geometry.squares <= 384)
            return k == 6 && p == 2 ? search.template operator()<Position<6, 2, 6>>(geometry)
                                    : search.template operator()<Position<0, 0, 6>>(geometry);
        return geometry.squares <= 4096 ? search.template operator()<Position<0, 0, 64>>(geometry)
                                        : search.template operator()<Position<0, 0, 256>>(geometry);
    }
};

inline std::vector<Square> as_vector(const Stones& stones) { return {stones.begin(), stones.end()}; }

inline Stones as_stones(const std::vector<Square>& squares) {
    if (squares.size() > 8) throw nanobind::value_error("a move has too many stones");
    Stones stones;
    for (Square s : squares) stones.add(s);
    return stones;
}

template <class ZoneType>
std::vector<std::vector<Square>> as_lists(const ZoneType& zone) {
    std::vector<std::vector<Square>> lists;
    for (const auto& squares : zone.z) {
        lists.emplace_back();
        squares.each([&](Square s) { lists.back().push_back(s); });
    }
    return lists;
}

// A strategy as nested tuples: (move, [(stones, passes, answer), …]).
inline nanobind::object as_tuples(const Strategy& strategy) {
    nanobind::list replies;
    for (const auto& reply : strategy.replies)
        replies.append(nanobind::make_tuple(as_vector(reply.stones), reply.passes, as_tuples(*reply.answer)));
    return nanobind::make_tuple(as_vector(strategy.move), replies);
}

}  // namespace tengen
