// Squares of a small board as bits, and the gaps that an attacker has to fill: what he lacks on each segment that is open
// to him. To hold is to take a square of each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tengen::small {

using Bits = std::uint64_t;
using Gaps = std::vector<Bits>;
using Pairs = std::vector<std::pair<int, int>>;

inline Bits bit(int square) { return Bits(1) << square; }

inline Bits lowest(Bits bits) { return bits & (~bits + 1); }

template <class Visit>
void each(Bits bits, Visit visit) {
    for (; bits; bits &= bits - 1) visit(std::countr_zero(bits));
}

// Leaves out what need not be watched: gaps that contain another one.
inline void keep_smallest(Gaps& gaps) {
    std::sort(gaps.begin(), gaps.end(), [](Bits a, Bits b) {
        return std::pair(std::popcount(a), a) < std::pair(std::popcount(b), b);
    });
    std::size_t kept = 0;
    for (const Bits gap : gaps) {
        const auto is_within = [gap](Bits smaller) { return (smaller & ~gap) == 0; };
        if (std::none_of(gaps.begin(), gaps.begin() + std::ptrdiff_t(kept), is_within)) gaps[kept++] = gap;
    }
    gaps.resize(kept);
}

inline Gaps without(const Gaps& gaps, Bits square) {
    Gaps rest;
    for (Bits gap : gaps)
        if (!(gap & square)) rest.push_back(gap);
    return rest;
}

inline Bits squares_of(const Gaps& gaps) {
    Bits all = 0;
    for (Bits gap : gaps) all |= gap;
    return all;
}

// Those that hang together by common squares, apart from the others.
inline std::vector<Gaps> parts_of(const Gaps& gaps) {
    std::vector<Gaps> parts;
    Bits done = 0;
    for (const Bits first : gaps) {
        if (first & done) continue;
        Bits reached = first;
        for (Bits before = 0; before != reached;) {
            before = reached;
            for (Bits gap : gaps)
                if (gap & reached) reached |= gap;
        }
        done |= reached;
        Gaps& part = parts.emplace_back();
        for (Bits gap : gaps)
            if (gap & reached) part.push_back(gap);
    }
    return parts;
}

// Finds disjoint pairs of free squares, one in each gap.
inline bool pair_up(const Gaps& gaps, Bits free, Pairs& pairs, int& budget) {
    if (gaps.empty()) return true;
    if (--budget < 0) return false;
    Bits tightest = 0;
    int fewest = 65;
    for (Bits gap : gaps)
        if (const int room = std::popcount(gap & free); room < fewest) fewest = room, tightest = gap & free;
    if (fewest < 2) return false;
    struct Choice {
        int served, a, b;
    };
    std::vector<Choice> choices;
    each(tightest, [&](int a) {
        each(tightest & ~(bit(a) | (bit(a) - 1)), [&](int b) {
            const Bits both = bit(a) | bit(b);
            const auto has_both = [both](Bits gap) { return (gap & both) == both; };
            choices.push_back({int(std::count_if(gaps.begin(), gaps.end(), has_both)), a, b});
        });
    });
    const auto serves_more = [](const Choice& x, const Choice& y) { return x.served > y.served; };
    std::stable_sort(choices.begin(), choices.end(), serves_more);
    Gaps rest;
    for (const Choice& choice : choices) {
        const Bits both = bit(choice.a) | bit(choice.b);
        rest.clear();
        for (Bits gap : gaps)
            if ((gap & both) != both) rest.push_back(gap);
        pairs.emplace_back(choice.a, choice.b);
        if (pair_up(rest, free & ~both, pairs, budget)) return true;
        pairs.pop_back();
        if (budget < 0) return false;
    }
    return false;
}

// Disjoint pairs of squares, one in each gap, or none: who answers in the same pair holds against one stone at a time. The
// search gives up early, so that none found means nothing.
inline std::optional<Pairs> pairing(const Gaps& gaps, int budget) {
    Pairs pairs;
    for (const Gaps& part : parts_of(gaps)) {
        int left = budget;
        if (!pair_up(part, ~Bits(0), pairs, left)) return std::nullopt;
    }
    return pairs;
}

}  // namespace tengen::small
