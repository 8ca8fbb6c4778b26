// The smallest grid, read row by row, among all that arise by relabelling digits, exchanging rows in bands, columns in stacks,
// bands, stacks, and by transposing.
#pragma once

#include <algorithm>
#include <utility>

#include "sudoku_grid.hpp"

namespace tengen::sudoku {

struct Canonical {
    Grid grid;
    int automorphisms = 0;              // ways to map the grid onto itself
    std::array<std::uint8_t, 81> from;  // the cell of the given grid that each cell comes from
};

class Canonizer {
public:
    // Which row comes first and how the columns stand decides all the rest: the labels, since the first row reads 1 to 9, and
    // the order of the other rows, since each band and the bands themselves are sorted by their first column.
    explicit Canonizer(const Grid& grid, bool only_compare = false) : only_compare_(only_compare) {
        best_.grid = grid;
        if (!only_compare) best_.grid.fill(9);
        for (int turn = 0; turn < 2 && !is_beaten_; ++turn) {
            const Grid& turned = turn ? transposed(grid) : grid;
            for (int row = 0; row < 9; ++row) try_row(turned, row, turn == 1);
        }
    }

    const Canonical& best() const { return best_; }
    bool is_beaten() const { return is_beaten_; }  // with `only_compare`: there is a smaller grid

private:
    static constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    void try_row(const Grid& grid, int row, bool turned) {
        int columns[9];
        for (const auto& stacks : orders)
            for (const auto& a : orders)
                for (const auto& b : orders)
                    for (const auto& c : orders) {
                        if (is_beaten_) return;
                        const int* const inside[3] = {a, b, c};
                        for (int i = 0; i < 9; ++i) columns[i] = 3 * stacks[i / 3] + inside[i / 3][i % 3];
                        try_columns(grid, row, columns, turned);
                    }
    }

    void try_columns(const Grid& grid, int first, const int* columns, bool turned) {
        int label[9];
        for (int i = 0; i < 9; ++i) label[grid[std::size_t(9 * first + columns[i])]] = i;
        const auto at = [&](int row, int i) { return label[grid[std::size_t(9 * row + columns[i])]]; };
        int rows[9];
        int bands[3] = {first / 3, (first / 3 + 1) % 3, (first / 3 + 2) % 3};
        for (int b = 0; b < 3; ++b) {
            for (int i = 0; i < 3; ++i) rows[3 * b + i] = 3 * bands[b] + i;
            std::sort(rows + 3 * b, rows + 3 * b + 3, [&](int x, int y) { return at(x, 0) < at(y, 0); });
        }
        if (at(rows[6], 0) < at(rows[3], 0)) std::swap_ranges(rows + 3, rows + 6, rows + 6);
        int compared = 0;
        Grid candidate;
        for (int cell = 0; cell < 81; ++cell) {
            const int digit = at(rows[cell / 9], cell % 9);
            candidate[std::size_t(cell)] = std::uint8_t(digit);
            if (!compared) compared = digit - best_.grid[std::size_t(cell)];
            if (compared > 0) return;
        }
        if (compared < 0) {
            is_beaten_ = only_compare_;
            best_.grid = candidate;
            best_.automorphisms = 0;
            for (int cell = 0; cell < 81; ++cell) {
                const int from = 9 * rows[cell / 9] + columns[cell % 9];
                best_.from[std::size_t(cell)] = std::uint8_t(turned ? transposed_cell(from) : from);
            }
        }
        ++best_.automorphisms;
    }

    Canonical best_;
    bool only_compare_, is_beaten_ = false;
};

}  // namespace tengen::sudoku
