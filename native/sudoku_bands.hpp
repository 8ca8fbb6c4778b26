// Finds every puzzle with a given number of clues in a grid: the fast way.
//
// However the clues are shared out among the three bands, two of the bands have few of them. All ways to place clues in
// these two are listed, band by band, and joined: two ways go together if they leave no unavoidable set of the two bands open.
// For the few pairs that remain, the clues of the third band are searched. A solver judges what hits all known sets; if there
// is a second solution, the cells in which it differs are a new set, which is kept. The sets that matter for a join are learned
// in the same way beforehand, from a sample of the pairs that would pass.
#pragma once

#include <memory>

#include "meter.hpp"
#include "sudoku_band.hpp"
#include "sudoku_join.hpp"
#include "sudoku_sets.hpp"
#include "sudoku_third.hpp"

namespace tengen::sudoku {

struct BandsResult {
    std::vector<Cells> puzzles;
    bool by_stacks = false;
    std::uint64_t sets = 0;         // unavoidable sets to begin with
    std::uint64_t learned = 0;      // and those that the solver gave
    double pairs = 0;               // ways for one band times ways for another
    std::uint64_t joined = 0;       // pairs that leave no set of the two bands open
    std::uint64_t completed = 0;    // of these, so many passed the lower bound for the third band
    std::uint64_t solved = 0;       // how often the solver was asked
    std::uint64_t certificate = 0;  // a checksum over the joined pairs, which nobody knows who has not searched
};

class BandsSearch {
public:
    // Puzzles have all clues of `given` and else only clues of `allowed`.
    BandsSearch(const Grid& grid, int clues, const Cells& given, const Cells& allowed, Meter& meter, BandsResult& result)
        : view_{grid, given, allowed}, clues_(clues), meter_(meter), result_(result) {}

    // What was found is in the result even if the search is ended by the meter.
    void run() {
        const View turned{transposed(view_.grid), transposed(view_.given), transposed(view_.allowed)};
        plan_ = plan(view_);
        if (Plan other = plan(turned); other.cost < plan_.cost) {
            view_ = turned;
            plan_ = std::move(other);
            result_.by_stacks = true;
        }
        find_sets();
        for (int third = 0; third < 3; ++third)
            if (!plan_.shares[third].empty()) two_bands(third);
        std::sort(result_.puzzles.begin(), result_.puzzles.end(), smaller);
    }

private:
    static constexpr int join_words = 4;

    struct View {
        Grid grid;
        Cells given, allowed;
    };

    struct Share {
        int first, second;  // clues in the two bands after the third, in cyclic order
        double pairs;
    };

    struct Plan {
        double cost = 0;
        std::vector<Share> shares[3];        // by the third band
        std::vector<std::uint32_t> sets[3];  // within each band
    };

    // Every division of the clues among the bands is given to the two bands that have the fewest ways together.
    Plan plan(const View& view) const {
        Plan plan;
        int least[3];
        std::vector<double> ways[3];
        std::vector<BandClues> bands;
        for (int b = 0; b < 3; ++b) {
            Cells region;
            region.band[b] = band_bits;
            std::vector<Cells> sets;
            SetFinder(view.grid, sets).search(region, 27);
            keep_minimal(sets);
            for (const Cells& set : sets) plan.sets[b].push_back(set.band[b]);
            bands.emplace_back(plan.sets[b], view.given.band[b], view.allowed.band[b]);
            least[b] = 0;
            while (least[b] < 28 && bands.back().numbers(least[b])[std::size_t(least[b])] == 0) ++least[b];
        }
        for (int b = 0; b < 3; ++b) {  // of the two bands with the fewest clues, none has more than this
            const int least_other = std::min(least[(b + 1) % 3], least[(b + 2) % 3]);
            ways[b] = bands[std::size_t(b)].numbers(std::clamp((clues_ - least_other) / 2, 0, 27));
        }
        for (int a = least[0]; a <= 27; ++a)
            for (int b = least[1]; b <= 27; ++b) {
                const int clues[3] = {a, b, clues_ - a - b};
                if (clues[2] < least[2] || clues[2] > 27) continue;
                int best = -1;
                Share share{};
                for (int third = 0; third < 3; ++third) {
                    const int x = (third + 1) % 3, y = (third + 2) % 3;
                    if (clues[x] >= int(ways[x].size()) || clues[y] >= int(ways[y].size())) continue;
                    const double pairs = ways[x][std::size_t(clues[x])] * ways[y][std::size_t(clues[y])];
                    if (best < 0 || pairs < share.pairs) {
                        best = third;
                        share = {clues[x], clues[y], pairs};
                    }
                }
                plan.cost += share.pairs;
                if (share.pairs > 0) plan.shares[best].push_back(share);
            }
        return plan;
    }

    void find_sets() {
        SetFinder finder(view_.grid, sets_);
        finder.search(Cells::all(), 10);
        for (unsigned digits = 0; digits < 512; ++digits) {
            if (std::popcount(digits) != 4) continue;
            Cells region;
            for (int cell = 0; cell < 81; ++cell)
                if (digits >> view_.grid[std::size_t(cell)] & 1) region.add(cell);
            finder.search(region, 12);
        }
        for (int b = 0; b < 3; ++b)
            for (std::uint32_t cells : plan_.sets[b]) {
                Cells set;
                set.band[b] = cells;
                sets_.push_back(set);
            }
        std::erase_if(sets_, [&](const Cells& set) { return set.meets(view_.given); });
        keep_minimal(sets_);
        result_.sets = sets_.size();
    }

    void two_bands(int third) {
        a_ = (third + 1) % 3, b_ = (third + 2) % 3, c_ = third;
        across_.clear();
        third_ = std::make_unique<ThirdBand>(view_.given.band[c_], view_.allowed.band[c_]);
        std::erase_if(sets_, [](const Cells& set) { return set.size() > 18; });  // these were learned for other bands
        for (const Cells& set : sets_) sort_in(set);
        third_->build();
        BandClues first(plan_.sets[a_], view_.given.band[a_], view_.allowed.band[a_]);
        BandClues second(plan_.sets[b_], view_.given.band[b_], view_.allowed.band[b_]);
        auto& shares = plan_.shares[third];
        std::stable_sort(shares.begin(), shares.end(), [](const Share& x, const Share& y) { return x.pairs > y.pairs; });
        for (const Share& share : shares) {
            firsts_ = first.list(share.first);
            seconds_ = second.list(share.second);
            result_.pairs += share.pairs;
            if (&share == &shares.front()) {  // the one that most depends on it teaches for all
                const bool is_large = share.pairs >= 1e8;
                const int rounds = is_large ? 3 : share.pairs >= 2e5 ? 2 : 0;
                for (int round = 0; round < rounds; ++round) sharpen(is_large ? 200 : 100);
                select();
            }
            const int rest = clues_ - share.first - share.second;
            each_pair(firsts_, seconds_, [&](std::uint32_t x, std::uint32_t y) { pair(x, y, rest); });
        }
    }

    Parts parts(const Cells& set) const { return {set.band[a_], set.band[b_], set.band[c_]}; }

    // Adds a set to what is known about the bands at hand.
    void sort_in(const Cells& set) {
        if (set.band[c_]) third_->add(parts(set));
        else if (set.band[a_] && set.band[b_]) across_.push_back(parts(set));
    }

    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    // Learns sets from a sample of the pairs that would be joined: those are the sets that are missing.
    void sharpen(int questions) {
        const Pairs pairs = select();
        const std::size_t known = across_.size();
        int asked = 0, valid = 0;
        for (std::size_t i = 0; i < pairs.size() && asked < questions; ++i) {
            const auto [first, second] = pairs[random() % pairs.size()];
            const auto is_open = [&](const Parts& set) { return set.is_open(first, second); };
            if (std::any_of(across_.begin() + std::ptrdiff_t(known), across_.end(), is_open)) continue;
            ++asked;
            if (learn_from(cells(first, second, band_bits)) || ++valid > 10) continue;
            const std::uint64_t open = third_->open_sockets(first, second);
            for (int socket = 0; socket < ThirdBand::sockets; ++socket)
                if (!(open >> socket & 1)) learn_from(cells(first, second, band_bits & ~ThirdBand::socket_cells(socket)));
        }
        third_->build();
    }

    std::vector<std::uint32_t> sample(std::vector<std::uint32_t> ways) {
        constexpr std::size_t size = 1500;
        if (ways.size() <= size) return ways;
        for (std::size_t i = 0; i < size; ++i) std::swap(ways[i], ways[i + random() % (ways.size() - i)]);
        ways.resize(size);
        return ways;
    }

    bool learn_from(const Cells& clues) {
        const Cells fresh = second_solution(clues | view_.given);
        if (fresh.empty()) return false;
        ++result_.learned;
        sets_.push_back(fresh);
        sort_in(fresh);
        return true;
    }

    // Chooses the sets that part the most pairs: one word of them for the join, as seen on any pairs, and a few more words for
    // the pairs which these let through. Returns pairs of a sample that all of them let through.
    Pairs select() {
        const auto firsts = sample(firsts_), seconds = sample(seconds_);
        std::vector<bool> taken(across_.size());
        first_sets_.clear();
        second_sets_.clear();
        Pairs any;
        for (int i = 0; i < 512; ++i) any.emplace_back(firsts[random() % firsts.size()], seconds[random() % seconds.size()]);
        for (int w = 0; w < join_words; ++w) {
            select_word(w, any, taken);
            first_sets_.build();
            second_sets_.build();
            Pairs passed;
            each_pair(firsts, seconds, [&](std::uint32_t x, std::uint32_t y) { passed.emplace_back(x, y); });
            any.clear();
            if (passed.empty()) return any;
            if (w == join_words - 1) return passed;
            for (int i = 0; i < 512; ++i) any.push_back(passed[random() % passed.size()]);
        }
        return any;
    }

    void select_word(int word, const Pairs& pairs, std::vector<bool>& taken) {
        constexpr std::size_t blocks = 8;
        using Blocks = std::array<std::uint64_t, blocks>;
        std::vector<Blocks> parted(across_.size(), Blocks{});
        for (std::size_t i = 0; i < pairs.size(); ++i)
            for (std::size_t s = 0; s < across_.size(); ++s)
                parted[s][i / 64] |= std::uint64_t(across_[s].is_open(pairs[i].first, pairs[i].second)) << i % 64;
        Blocks everything;
        everything.fill(~std::uint64_t(0));
        Blocks together = everything;
        for (int place = 0; place < 64;) {
            std::size_t choice = 0;
            int most = -1;
            for (std::size_t s = 0; s < across_.size(); ++s) {
                if (taken[s]) continue;
                int parts = 0;
                for (std::size_t b = 0; b < blocks; ++b) {
                    const std::uint64_t gain = together[b] & parted[s][b];
                    parts += count(std::uint32_t(gain)) + count(std::uint32_t(gain >> 32));
                }
                if (parts > most) {
                    most = parts;
                    choice = s;
                }
            }
            if (most < 0 || (most == 0 && together == everything)) return;
            if (most == 0) {
                together = everything;  // all pairs are parted: once more with what is left of the sets
                continue;
            }
            taken[choice] = true;
            first_sets_.add(word, place, across_[choice].first);
            second_sets_.add(word, place, across_[choice].second);
            ++place;
            for (std::size_t b = 0; b < blocks; ++b) together[b] &= ~parted[choice][b];
        }
    }

    template <class Action>
    void each_pair(const std::vector<std::uint32_t>& firsts, const std::vector<std::uint32_t>& seconds, Action action) {
        Words left = words(first_sets_, firsts), right = words(second_sets_, seconds);
        const bool swap = left.size() > right.size();
        auto found = [&](std::uint32_t x, std::uint32_t y) {
            if (swap) std::swap(x, y);
            for (int w = 1; w < join_words; ++w)
                if (first_sets_.word(w, x) & second_sets_.word(w, y)) return;
            action(x, y);
        };
        auto look = [&] { meter_.count(); };
        Join<decltype(found), decltype(look)> join(found, look);
        if (swap) join.run(right, left);
        else join.run(left, right);
    }

    static Words words(const OpenSets<join_words>& sets, const std::vector<std::uint32_t>& ways) {
        Words words;
        words.value = ways;
        words.word.reserve(ways.size());
        for (std::uint32_t way : ways) words.word.push_back(sets.word(0, way));
        return words;
    }

    // Two bands are full; `rest` clues are for the third.
    void pair(std::uint32_t first, std::uint32_t second, int rest) {
        ++result_.joined;
        result_.certificate += mixed((std::uint64_t(first) << 27 | second) * 3 + std::uint64_t(c_));
        const int needed = rest - count(view_.given.band[c_]);
        const std::uint64_t sockets = third_->open_sockets(first, second);
        if (third_->at_least(sockets) > needed) return;
        ++result_.completed;
        meter_.count();
        third_->complete(
            first, second, sockets, needed,
            [&](std::uint32_t in) {
                meter_.count();  // with many clues a single pair has millions of ways
                const Cells fresh = second_solution(cells(first, second, in));
                if (fresh.empty()) return ThirdBand::is_puzzle;
                ++result_.learned;
                sets_.push_back(fresh);
                third_->learn(parts(fresh));
                return fresh.band[c_];
            },
            [&](std::uint32_t in) {
                meter_.count();
                const Cells puzzle = cells(first, second, in);
                result_.puzzles.push_back(result_.by_stacks ? transposed(puzzle) : puzzle);
            });
    }

    // Where a second solution differs; empty if there is none.
    Cells second_solution(const Cells& clues) {
        ++result_.solved;
        Cells fresh;
        const auto differs = [&](const Grid& other) {
            fresh = difference(view_.grid, other);
            return !fresh.empty();
        };
        Solver::solve(view_.grid, clues, differs);
        for (bool less = !fresh.empty(); less;) {  // there may be a smaller one inside
            const Cells whole = fresh;
            less = Solver::solve(view_.grid, Cells::all() - whole, [&](const Grid& other) {
                fresh = difference(view_.grid, other);
                return !fresh.empty() && fresh != whole;
            });
            if (!less) fresh = whole;
        }
        return fresh;
    }

    Cells cells(std::uint32_t first, std::uint32_t second, std::uint32_t third) const {
        Cells all;
        all.band[a_] = first;
        all.band[b_] = second;
        all.band[c_] = third;
        return all;
    }

    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
        return x ^ x >> 32;
    }

    // The same on every machine: a search is to be repeated exactly.
    std::size_t random() {
        random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
        return std::size_t(random_ >> 20);
    }

    View view_;
    int clues_;
    Meter& meter_;
    Plan plan_;
    BandsResult& result_;
    std::vector<Cells> sets_;
    std::uint64_t random_ = 88172645463325252u;

    // The bands at hand: two that are listed, and the third.
    int a_ = 0, b_ = 1, c_ = 2;
    std::vector<Parts> across_;  // sets of the two
    OpenSets<join_words> first_sets_, second_sets_;
    std::vector<std::uint32_t> firsts_, seconds_;
    std::unique_ptr<ThirdBand> third_;
};

}  // namespace tengen::sudoku
