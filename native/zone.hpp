// Sets of squares, and the relevance zones Z1 within Z2 within Z3 of a winning strategy.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "geometry.hpp"

namespace tengen {

template <int Words>
struct Squares {
    std::array<std::uint64_t, Words> words{};

    void add(Square s) { words[s >> 6] |= std::uint64_t(1) << (s & 63); }
    void remove(Square s) { words[s >> 6] &= ~(std::uint64_t(1) << (s & 63)); }
    bool has(Square s) const { return words[s >> 6] >> (s & 63) & 1; }
    Squares& operator|=(const Squares& other) {
        for (int i = 0; i < Words; ++i) words[i] |= other.words[i];
        return *this;
    }
    bool empty() const {
        for (std::uint64_t word : words)
            if (word) return false;
        return true;
    }
    int count() const {
        int total = 0;
        for (std::uint64_t word : words) total += std::popcount(word);
        return total;
    }
    template <class Visit>
    void each(Visit visit) const {
        for (int i = 0; i < Words; ++i)
            for (std::uint64_t word = words[i]; word; word &= word - 1) visit(Square(i * 64 + std::countr_zero(word)));
    }
};

// A set of extra defender stones is irrelevant if it can be ordered so that the i-th is not in Z_i; the attacker still
// wins then. Z4 and higher are every empty square.
template <int Words>
struct Zone {
    static constexpr int orders = 3;
    std::array<Squares<Words>, orders> z{};

    void add_to_all(Square s) {
        for (auto& zone : z) zone.add(s);
    }
    Zone& operator|=(const Zone& other) {
        for (int i = 0; i < orders; ++i) z[i] |= other.z[i];
        return *this;
    }
    // Z<<r: what was relevant for i+r extra stones is relevant for i when r stones were left out.
    Zone promoted(int r, const Squares<Words>& empty) const {
        Zone out;
        for (int i = 0; i < orders; ++i) out.z[i] = i + r < orders ? z[i + r] : empty;
        return out;
    }
};

}  // namespace tengen
