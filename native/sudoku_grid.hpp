// A complete 9x9 grid and sets of its cells.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tengen::sudoku {

using Grid = std::array<std::uint8_t, 81>;  // digits 0 to 8, row by row

constexpr std::uint32_t band_bits = (1u << 27) - 1;

// How many bits are set. Compilers that may not use the machine's own instruction call a function, which is slower than this.
inline int count(std::uint32_t bits) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return int(((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
#else
    return std::popcount(bits);
#endif
}

// Cells as three words of 27 bits, one for each band of three rows.
struct Cells {
    std::uint32_t band[3] = {0, 0, 0};

    static Cells all() { return {{band_bits, band_bits, band_bits}}; }

    void add(int cell) { band[cell / 27] |= 1u << cell % 27; }
    bool empty() const { return !(band[0] | band[1] | band[2]); }
    int size() const { return count(band[0]) + count(band[1]) + count(band[2]); }
    bool within(const Cells& other) const { return (*this - other).empty(); }
    bool meets(const Cells& other) const { return !(*this & other).empty(); }

    Cells operator&(const Cells& o) const { return {{band[0] & o.band[0], band[1] & o.band[1], band[2] & o.band[2]}}; }
    Cells operator|(const Cells& o) const { return {{band[0] | o.band[0], band[1] | o.band[1], band[2] | o.band[2]}}; }
    Cells operator-(const Cells& o) const { return {{band[0] & ~o.band[0], band[1] & ~o.band[1], band[2] & ~o.band[2]}}; }
    bool operator==(const Cells&) const = default;

    template <class Action>
    void each(Action action) const {
        for (int b = 0; b < 3; ++b)
            for (std::uint32_t left = band[b]; left; left &= left - 1) action(27 * b + std::countr_zero(left));
    }
};

// Smaller sets first, else by their cells: an order that does not depend on how a set was found.
inline bool smaller(const Cells& a, const Cells& b) {
    const int x = a.size(), y = b.size();
    if (x != y) return x < y;
    for (int i = 0; i < 3; ++i)
        if (a.band[i] != b.band[i]) return a.band[i] < b.band[i];
    return false;
}

inline int transposed_cell(int cell) { return cell % 9 * 9 + cell / 9; }

inline Cells transposed(const Cells& cells) {
    Cells other;
    cells.each([&](int cell) { other.add(transposed_cell(cell)); });
    return other;
}

inline Grid transposed(const Grid& grid) {
    Grid other;
    for (int cell = 0; cell < 81; ++cell) other[std::size_t(transposed_cell(cell))] = grid[std::size_t(cell)];
    return other;
}

}  // namespace tengen::sudoku
