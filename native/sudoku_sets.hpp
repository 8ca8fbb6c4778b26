// Finds minimal unavoidable sets: cells whose digits can be exchanged so that another complete grid arises.
#pragma once

#include <algorithm>
#include <vector>

#include "sudoku_solver.hpp"

namespace tengen::sudoku {

// Sorts sets, smallest first, and drops those that contain another.
inline void keep_minimal(std::vector<Cells>& sets) {
    std::sort(sets.begin(), sets.end(), smaller);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::vector<Cells> minimal;
    for (const Cells& set : sets)
        if (std::none_of(minimal.begin(), minimal.end(), [&](const Cells& other) { return other.within(set); }))
            minimal.push_back(set);
    sets = std::move(minimal);
}

// Finds all minimal sets of limited size in a region. A change of one cell obliges others to change; the search follows these
// obligations only and ends where none is left, so it never asks which cells stay as they are.
class SetFinder {
public:
    SetFinder(const Grid& grid, std::vector<Cells>& found) : grid_(grid), found_(found) {
        for (int cell = 0; cell < 81; ++cell) known_[grid[std::size_t(cell)]][cell / 27] |= 1u << cell % 27;
    }

    // Adds the sets within `region` of at most `most` cells, and some that are not minimal.
    void search(const Cells& region, int most) {
        most_ = most;
        Candidates base = Candidates::open();
        (Cells::all() - region).each([&](int cell) { base.keep(grid_[std::size_t(cell)], cell); });
        if (!base.propagate()) return;
        region.each([&](int cell) {  // the first cell of the set
            const int digit = grid_[std::size_t(cell)];
            for (int d = 0; d < 9; ++d) {
                if (d == digit || !(base.can[d][cell / 27] >> cell % 27 & 1)) continue;
                Candidates next = base;
                next.keep(d, cell);
                follow(next);
            }
            base.keep(digit, cell);
            base.propagate();
        });
    }

private:
    void follow(Candidates& state) {
        if (!state.propagate()) return;
        Cells changed = Cells::all();
        for (int d = 0; d < 9; ++d)
            for (int b = 0; b < 3; ++b) changed.band[b] &= ~(known_[d][b] & state.can[d][b]);
        if (at_least(changed) > most_) return;
        const Cells obliged = changed & state.unsolved();
        const int cell = state.choose(obliged);
        if (cell < 0) {
            found_.push_back(changed);
            return;
        }
        for (int d = 0; d < 9; ++d) {
            if (!(state.can[d][cell / 27] >> cell % 27 & 1)) continue;
            Candidates next = state;
            next.keep(d, cell);
            follow(next);
        }
    }

    // No row, column or box has only one cell of a set, and no digit is in only one.
    int at_least(const Cells& changed) const {
        int rows = 0, boxes = 0, digits = 0;
        std::uint32_t once = 0, twice = 0;
        for (int b = 0; b < 3; ++b)
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t row = changed.band[b] >> 9 * i & 0777;
                const std::uint32_t box = changed.band[b] & 07007007u << 3 * i;
                rows += is_one(row);
                boxes += is_one(box);
                twice |= once & row;
                once |= row;
            }
        for (const auto& known : known_) {
            const std::uint32_t a = known[0] & changed.band[0], b = known[1] & changed.band[1], c = known[2] & changed.band[2];
            digits += count(a) + count(b) + count(c) == 1;
        }
        return changed.size() + std::max({rows, boxes, digits, count(once & ~twice)});
    }

    static bool is_one(std::uint32_t cells) { return cells && !(cells & (cells - 1)); }

    const Grid& grid_;
    std::vector<Cells>& found_;
    std::uint32_t known_[9][3] = {};
    int most_ = 81;
};

}  // namespace tengen::sudoku
