// The third band: how few clues can do there when those of the other two are known, and where they can be.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "sudoku_open_sets.hpp"
#include "sudoku_solver.hpp"

namespace tengen::sudoku {

class ThirdBand {
public:
    ThirdBand(std::uint32_t given, std::uint32_t allowed) : given_(given), dead_(band_bits & ~allowed) {}

    // A set of the other two bands alone is kept too, though only few of them: others come back sooner than they are asked for.
    void add(const Parts& parts) {
        if (parts.third || inside_++ < many_inside) sets_.push_back({parts, new_use});
    }

    // After sets were added, and before questions are asked.
    void build() {
        if (sets_.size() > 64 * set_words) {  // keep those that were of use lately, and leave room for new ones
            sort_by([](const Known& set) { return -set.uses; });
            sets_.resize(64 * set_words * 3 / 4);
            for (Known& set : sets_) set.uses /= 2;
        }
        sort_by([](const Known& set) { return count(set.third); });
        build_sockets();
        first_sets_.clear();
        second_sets_.clear();
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            first_sets_.add(int(i / 64), int(i % 64), sets_[i].first);
            second_sets_.add(int(i / 64), int(i % 64), sets_[i].second);
        }
        first_sets_.build();
        second_sets_.build();
        late_.clear();
        last_first_ = ~0u;
    }

    // The pairs and triples of cells in one mini-row that must have a clue, by their numbers (see `socket_cells`).
    std::uint64_t open_sockets(std::uint32_t first, std::uint32_t second) {
        if (first != last_first_) {  // callers ask for many seconds with the same first
            last_first_ = first;
            open_first_ = first_sockets_(first);
        }
        const auto open_second = second_sockets_(second);
        std::uint64_t open = 0;
        for (int w = 0; w < socket_words; ++w) open |= open_first_.word[w] & open_second.word[w];
        return open;
    }

    static constexpr int sockets = 36;
    static std::uint32_t socket_cells(int socket) {
        constexpr std::uint32_t kinds[] = {3, 5, 6, 7};
        return kinds[socket / 9] << 3 * (socket % 9);
    }

    // So many clues at least: a mini-row with all three pairs needs two, one with any socket needs one, and the mini-rows without
    // may hold sets of their own.
    int at_least(std::uint64_t open) const {
        const std::uint32_t any = mini_rows(open);
        return clues_of_mini_rows(open) + apart_[any];
    }

    // Tries all ways to place so many clues beside those that are given; `sockets` are those that are open. When all known sets
    // have a clue, `judge` is called with the clues of this band: it returns `is_puzzle`, or what an open set has in this band.
    // All ways to add the clues that are left to a puzzle are told to `found`. A set without a cell here ends the search.
    template <class Judge, class Found>
    void complete(std::uint32_t first, std::uint32_t second, std::uint64_t sockets, int clues, Judge&& judge, Found&& found) {
        if (late_.size() >= many_late) build();
        // Two lower bounds while the sets are collected: disjoint sets, and mini-rows with what is disjoint from them.
        std::uint32_t used = 0, rows = cells_of(mini_rows(sockets));
        int apart = 0, beside = clues_of_mini_rows(sockets);
        std::size_t collected = 0;
        const auto take = [&](std::uint32_t set) {
            if (!(set & used)) {
                used |= set;
                ++apart;
            }
            if (!(set & rows)) {
                rows |= set;
                ++beside;
            }
            collected_[collected++] = set;
            return set && apart <= clues && beside <= clues;
        };
        for (int w = 0; w < set_words; ++w)
            for (std::uint64_t left = first_sets_.word(w, first) & second_sets_.word(w, second); left; left &= left - 1) {
                Known& set = sets_[std::size_t(64 * w + std::countr_zero(left))];
                if (!take(set.third)) {
                    ++set.uses;
                    return;
                }
            }
        for (const Parts& parts : late_)
            if (parts.is_open(first, second) && !take(parts.third)) return;
        open_[0].clear();
        for (std::size_t i = 0; i < collected; ++i) add_open(collected_[i]);
        place(0, given_, dead_, clues, judge, found);
    }

    // A set that was found in between: used from now on, if slowly until `build`.
    void learn(const Parts& parts) {
        if (!parts.third && inside_ >= many_inside) return;
        add(parts);
        late_.push_back(parts);
    }

private:
    static constexpr int set_words = 24, socket_words = 8;
    static constexpr std::size_t many_late = 64;
    static constexpr int many_inside = 128, new_use = 4;

    struct Known : Parts {
        int uses;  // how often it was the one that ended a search
    };


    template <class Key>
    void sort_by(Key key) {
        std::stable_sort(sets_.begin(), sets_.end(), [&](const Known& a, const Known& b) { return key(a) < key(b); });
    }

    void build_sockets() {
        first_sockets_.clear();
        second_sockets_.clear();
        std::vector<std::uint32_t> own;
        for (const Known& parts : sets_) {
            if (!parts.first && !parts.second) own.push_back(parts.third);
            if (!parts.third) continue;
            const int mini_row = std::countr_zero(parts.third) / 3;
            const std::uint32_t cells = parts.third >> 3 * mini_row;
            if (cells > 7 || count(cells) < 2) continue;
            const int socket = mini_row + 9 * (cells == 3 ? 0 : cells == 5 ? 1 : cells == 6 ? 2 : 3);
            for (int w = 0; w < socket_words; ++w) {
                if (first_sockets_.has(w, socket)) continue;
                first_sockets_.add(w, socket, parts.first);
                second_sockets_.add(w, socket, parts.second);
                break;
            }
        }
        first_sockets_.build();
        second_sockets_.build();
        for (std::uint32_t taken = 0; taken < 512; ++taken) {
            std::uint32_t used = 0;
            for (int m = 0; m < 9; ++m)
                if (taken >> m & 1) used |= 7u << 3 * m;
            apart_[taken] = 0;
            for (std::uint32_t set : own)
                if (!(set & used)) {
                    used |= set;
                    ++apart_[taken];
                }
        }
    }

    static std::uint32_t mini_rows(std::uint64_t sockets) {
        return (sockets | sockets >> 9 | sockets >> 18 | sockets >> 27) & 0777;
    }
    static int clues_of_mini_rows(std::uint64_t sockets) {
        return count(mini_rows(sockets)) + count(sockets & sockets >> 9 & sockets >> 18 & 0777);
    }
    static std::uint32_t cells_of(std::uint32_t mini_rows) { return closure::table.wide[mini_rows]; }

    // Sets come smallest first but for late ones, so a set with another inside is seen to be needless.
    void add_open(std::uint32_t set) {
        auto& open = open_[0];
        for (std::uint32_t known : open)
            if ((known & set) == known) return;
        open.push_back(set);
    }

    // Returns false if the other two bands cannot be completed at all.
    template <class Judge, class Found>
    bool place(std::size_t depth, std::uint32_t in, std::uint32_t dead, int left, Judge& judge, Found& found) {
        auto& open = open_[depth];
        if (open.empty()) {
            const std::uint32_t fresh = judge(in);
            if (fresh == is_puzzle) {
                add_clues(in, band_bits & ~in & ~dead, left, found);
                return true;
            }
            if (!fresh) return false;
            open.push_back(fresh);
        }
        std::uint32_t used = 0;
        int apart = 0;
        for (std::uint32_t set : open)
            if (const std::uint32_t live = set & ~dead; !(live & used)) {
                used |= live;
                if (++apart > left || !live) return true;
            }
        if (apart == left) dead |= ~used;  // each of these sets takes one clue, so no clue is elsewhere
        std::uint32_t branch = 0;
        int fewest = 28;
        for (std::uint32_t set : open)
            if (const int size = count(set & ~dead); size < fewest) {
                fewest = size;
                branch = set & ~dead;
            }
        auto& next = open_[depth + 1];
        for (; branch; branch &= branch - 1) {
            const std::uint32_t cell = branch & -branch;
            next.clear();
            for (std::uint32_t set : open)
                if (!(set & cell)) next.push_back(set);
            if (!place(depth + 1, in | cell, dead, left - 1, judge, found)) return false;
            dead |= cell;
        }
        return true;
    }

    template <class Found>
    static void add_clues(std::uint32_t in, std::uint32_t free, int more, Found& found) {
        if (more == 0) return found(in);
        for (; count(free) >= more; free &= free - 1) add_clues(in | (free & -free), free & (free - 1), more - 1, found);
    }

public:
    static constexpr std::uint32_t is_puzzle = ~0u;  // what `judge` says if there is no open set

private:
    std::uint32_t given_, dead_;
    std::vector<Known> sets_;
    std::vector<Parts> late_;
    std::uint32_t collected_[64 * set_words + many_late];
    int inside_ = 0;
    OpenSets<set_words> first_sets_, second_sets_;
    OpenSets<socket_words> first_sockets_, second_sockets_;
    std::uint8_t apart_[512];
    std::uint32_t last_first_ = ~0u;
    OpenSets<socket_words>::Bits open_first_;
    std::array<std::vector<std::uint32_t>, 29> open_;  // for each depth, what still needs a clue
};

}  // namespace tengen::sudoku
