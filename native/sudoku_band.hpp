// The ways to place clues in one band so that every unavoidable set within the band has one.
#pragma once

#include <vector>

#include "sudoku_grid.hpp"

namespace tengen::sudoku {

class BandClues {
public:
    // Sets of cells of the band, smallest first. If there are very many, the largest are left to later checks.
    BandClues(const std::vector<std::uint32_t>& sets, std::uint32_t given, std::uint32_t allowed)
        : given_(given), dead_(band_bits & ~allowed & ~given) {
        for (std::uint32_t set : sets) {
            if (sets_.size() == 64) break;
            sets_.push_back(set);
        }
    }

    // How many ways there are with 0, 1, … up to `most` clues.
    std::vector<double> numbers(int most) {
        std::vector<double> ways(std::size_t(most) + 1, 0.0);
        begin(most, [&](std::uint32_t, int clues, std::uint32_t free) {
            double choices = 1;
            const int cells = count(free);
            for (int more = 0; clues + more <= most && more <= cells; ++more) {
                ways[std::size_t(clues + more)] += choices;
                choices = choices * (cells - more) / (more + 1);
            }
        });
        return ways;
    }

    // All ways with exactly so many clues.
    std::vector<std::uint32_t> list(int exactly) {
        std::vector<std::uint32_t> ways;
        begin(exactly, [&](std::uint32_t in, int clues, std::uint32_t free) { add(ways, in, free, exactly - clues); });
        return ways;
    }

private:
    static void add(std::vector<std::uint32_t>& ways, std::uint32_t in, std::uint32_t free, int more) {
        if (more == 0) {
            ways.push_back(in);
            return;
        }
        for (; count(free) >= more; free &= free - 1) add(ways, in | (free & -free), free & (free - 1), more - 1);
    }

    template <class Visit>
    void begin(int most, Visit visit) {
        most_ = most;
        std::uint64_t active = 0;
        for (auto& cell : through_) cell = 0;
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            if (!(sets_[i] & given_)) active |= std::uint64_t(1) << i;
            for (std::uint32_t left = sets_[i]; left; left &= left - 1)
                through_[std::countr_zero(left)] |= std::uint64_t(1) << i;
        }
        if (count(given_) <= most) go(active, given_, dead_, count(given_), visit);
    }

    // Every way is reached once: a cell that was tried is dead for the branches after it.
    template <class Visit>
    void go(std::uint64_t active, std::uint32_t in, std::uint32_t dead, int clues, Visit& visit) {
        if (!active) {
            visit(in, clues, band_bits & ~in & ~dead);
            return;
        }
        if (clues == most_) return;
        std::uint32_t branch = sets_[std::size_t(std::countr_zero(active))] & ~dead;
        if (clues == most_ - 1)  // the last clue must be in all of them
            for (std::uint64_t left = active; left && branch; left &= left - 1)
                branch &= sets_[std::size_t(std::countr_zero(left))];
        for (; branch; branch &= branch - 1) {
            const int cell = std::countr_zero(branch);
            go(active & ~through_[cell], in | 1u << cell, dead, clues + 1, visit);
            dead |= 1u << cell;
        }
    }

    std::vector<std::uint32_t> sets_;
    std::uint64_t through_[27];
    std::uint32_t given_, dead_;
    int most_ = 0;
};

}  // namespace tengen::sudoku
