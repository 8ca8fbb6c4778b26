// The rotations and mirror images that leave a position as it is.
#pragma once

#include "position.hpp"

namespace tengen {

// Each as the squares to which it takes those of the board; the identity is left out.
template <class PositionType>
std::vector<std::vector<Square>> symmetries_of(const PositionType& position) {
    constexpr int mirror_columns = 1, mirror_rows = 2, swap_axes = 4, all = 8;
    const Geometry& g = position.geometry();
    const auto is_alike = [&](Square a, Square b) {
        return position.has_stone(a, attacker) == position.has_stone(b, attacker) && position.is_empty(a) == position.is_empty(b);
    };
    std::vector<std::vector<Square>> found;
    for (int symmetry = 1; symmetry < all; ++symmetry) {
        if ((symmetry & swap_axes) && g.width != g.height) continue;
        std::vector<Square> to;
        bool is_same = true;
        for (int at = 0; at < g.squares && is_same; ++at) {
            int x = at % g.width, y = at / g.width;
            if (symmetry & swap_axes) std::swap(x, y);
            if (symmetry & mirror_columns) x = g.width - 1 - x;
            if (symmetry & mirror_rows) y = g.height - 1 - y;
            to.push_back(Square(x + y * g.width));
            is_same = is_alike(Square(at), to.back());
        }
        if (is_same) found.push_back(std::move(to));
    }
    return found;
}

}  // namespace tengen
