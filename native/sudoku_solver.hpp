// Finds the solutions of a puzzle.
//
// For every digit and band, a word of 27 bits says where the digit can still go. Within a band, a digit takes one mini-row of
// every row and of every box, so the nine mini-rows it can use are a union of permutations; the same holds in a stack for
// mini-columns. One table of 512 entries closes both under that rule, which covers hidden singles and locked candidates.
#pragma once

#include <cstddef>

#include "sudoku_grid.hpp"

namespace tengen::sudoku {

namespace closure {

// 3x3 squares of bits: what is left of them if only permutations count. Empty if there is none.
struct Table {
    std::uint16_t left[512];
    std::uint32_t wide[512];     // every bit as three neighbours: mini-rows as cells
    std::uint32_t tripled[512];  // the nine columns, in all three rows

    constexpr Table() : left(), wide(), tripled() {
        constexpr std::uint16_t permutations[] = {0421, 0241, 0412, 0142, 0214, 0124};
        for (std::uint32_t square = 0; square < 512; ++square) {
            for (std::uint16_t permutation : permutations)
                if ((permutation & square) == permutation) left[square] = std::uint16_t(left[square] | permutation);
            for (int i = 0; i < 9; ++i)
                if (square >> i & 1) wide[square] |= 7u << 3 * i;
            tripled[square] = square | square << 9 | square << 18;
        }
    }
};
inline constexpr Table table;

constexpr std::uint32_t first_of_three = 0111111111;

// The mini-rows in which a band has any cell.
inline std::uint32_t mini_rows(std::uint32_t band) {
    std::uint32_t any = (band | band >> 1 | band >> 2) & first_of_three;
    // Every third bit moves together: three at a time, then the three rows.
    any = (any | any >> 2 | any >> 4) & 07007007;
    return (any | any >> 6 | any >> 12) & 0777;
}

inline std::uint32_t columns(std::uint32_t band) { return (band | band >> 9 | band >> 18) & 0777; }

}  // namespace closure

// Where every digit can still go, and what follows from it.
struct Candidates {
    std::uint32_t can[9][3];
    std::uint32_t solved[3];  // cells that their digit alone may have
    unsigned changed;         // the digits about which there may be conclusions to draw

    static Candidates open() {
        Candidates all{};
        for (auto& digit : all.can)
            for (auto& band : digit) band = band_bits;
        return all;
    }

    // The digit goes here in this row; the rest follows by `propagate`.
    void keep(int digit, int cell) {
        const int band = cell / 27, place = cell % 27;
        const std::uint32_t row = 0777u << place / 9 * 9;
        can[digit][band] &= ~row | 1u << place;
        changed |= 1u << digit;
    }

    // Draws conclusions until there are no more; false if there is a contradiction.
    bool propagate() {
        while (changed) {
            while (changed) {
                const int d = std::countr_zero(changed);
                changed &= changed - 1;
                if (!close(can[d])) return false;
                for (int b = 0; b < 3; ++b) {
                    const std::uint32_t now = alone_in_row(can[d][b]) & ~solved[b];
                    if (!now) continue;
                    solved[b] |= now;
                    for (int e = 0; e < 9; ++e)
                        if (e != d && (can[e][b] & now)) {
                            can[e][b] &= ~now;
                            changed |= 1u << e;
                        }
                }
            }
            for (int b = 0; b < 3; ++b) {
                std::uint32_t one = 0, more = 0;
                for (int d = 0; d < 9; ++d) {
                    more |= one & can[d][b];
                    one |= can[d][b];
                }
                if (one != band_bits) return false;
                std::uint32_t only = one & ~more & ~solved[b];
                for (int d = 0; only && d < 9; ++d)
                    for (std::uint32_t here = only & can[d][b]; here; here &= here - 1) {
                        only ^= here & -here;
                        keep(d, 27 * b + std::countr_zero(here));
                    }
            }
        }
        return true;
    }

    // The cell with the fewest digits among these, -1 if there is none.
    int choose(const Cells& among) const {
        int chosen = -1;
        std::uint32_t fewest = 10;
        for (int b = 0; b < 3; ++b) {
            if (!among.band[b]) continue;
            std::uint32_t one = 0, two = 0, three = 0;
            for (int d = 0; d < 9; ++d) {
                three |= two & can[d][b];
                two |= one & can[d][b];
                one |= can[d][b];
            }
            if (const std::uint32_t pairs = among.band[b] & two & ~three) return 27 * b + std::countr_zero(pairs);
            for (std::uint32_t left = among.band[b]; left; left &= left - 1) {
                std::uint32_t digits = 0;
                for (int d = 0; d < 9; ++d) digits += can[d][b] >> std::countr_zero(left) & 1;
                if (digits < fewest) {
                    fewest = digits;
                    chosen = 27 * b + std::countr_zero(left);
                }
            }
        }
        return chosen;
    }

    Cells unsolved() const { return {{band_bits & ~solved[0], band_bits & ~solved[1], band_bits & ~solved[2]}}; }

private:
    // Closes one digit; false if it has no place.
    static bool close(std::uint32_t (&can)[3]) {
        using namespace closure;
        for (;;) {
            std::uint32_t column[3];
            for (int b = 0; b < 3; ++b) {
                can[b] &= table.wide[table.left[mini_rows(can[b])]];
                column[b] = columns(can[b]);
            }
            std::uint32_t keep[3] = {0, 0, 0};
            for (int s = 0; s < 9; s += 3) {
                const std::uint32_t square =
                    (column[0] >> s & 7) | (column[1] >> s & 7) << 3 | (column[2] >> s & 7) << 6;
                const std::uint32_t left = table.left[square];
                if (!left) return false;
                keep[0] |= (left & 7) << s;
                keep[1] |= (left >> 3 & 7) << s;
                keep[2] |= (left >> 6 & 7) << s;
            }
            std::uint32_t gone = 0;
            for (int b = 0; b < 3; ++b) {
                const std::uint32_t now = can[b] & table.tripled[keep[b]];
                gone |= now ^ can[b];
                can[b] = now;
            }
            if (!gone) return true;
        }
    }

    // The cells of rows in which there is no choice.
    static std::uint32_t alone_in_row(std::uint32_t band) {
        std::uint32_t alone = 0;
        for (int r = 0; r < 27; r += 9) {
            const std::uint32_t row = band & 0777u << r;
            if (!(row & (row - 1))) alone |= row;
        }
        return alone;
    }
};

class Solver {
public:
    // Calls `found` with every solution until it returns true. Digits are given for the cells of `clues`, taken from `grid`.
    // `grid` should be one of the solutions if it is known: it is found first, and then others that are close to it.
    template <class Found>
    static bool solve(const Grid& grid, const Cells& clues, Found found) {
        Candidates start = Candidates::open();
        clues.each([&](int cell) { start.keep(grid[std::size_t(cell)], cell); });
        return search(grid, start, found);
    }

private:
    template <class Found>
    static bool search(const Grid& known, Candidates& state, Found& found) {
        if (!state.propagate()) return false;
        const Cells open = state.unsolved();
        if (open.empty()) {
            Grid grid{};
            for (int d = 0; d < 9; ++d)
                for (int b = 0; b < 3; ++b)
                    for (std::uint32_t left = state.can[d][b]; left; left &= left - 1)
                        grid[std::size_t(27 * b + std::countr_zero(left))] = std::uint8_t(d);
            return found(grid);
        }
        const int cell = state.choose(open);
        const int band = cell / 27;
        const std::uint32_t bit = 1u << cell % 27;
        for (int i = 0; i < 9; ++i) {
            const int d = (known[std::size_t(cell)] + i) % 9;
            if (!(state.can[d][band] & bit)) continue;
            Candidates next = state;
            next.keep(d, cell);
            if (search(known, next, found)) return true;
        }
        return false;
    }
};

inline Cells difference(const Grid& a, const Grid& b) {
    Cells cells;
    for (int cell = 0; cell < 81; ++cell)
        if (a[std::size_t(cell)] != b[std::size_t(cell)]) cells.add(cell);
    return cells;
}

}  // namespace tengen::sudoku
