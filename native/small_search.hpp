// Who wins a small game? Proof-number search answers stone by stone, so that the order of a move's stones does not matter
// to the table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "meter.hpp"
#include "small_game.hpp"
#include "small_numbers.hpp"

namespace tengen::small {

// Proof-number search, depth first (df-pn).
class Search {
public:
    struct Child {
        int square;
        State state;
        std::uint64_t key;
        std::uint32_t proof, disproof, size;
    };

    Search(const Rules& rules, Meter& meter, int table_bits) : rules_(rules), meter_(meter), numbers_(table_bits) {}

    // Searches on for at most so many nodes; 0 means until it is known.
    Verdict ask(const State& s, std::uint64_t budget = 0) {
        const View view = rules_.view(s);
        if (view.verdict != Verdict::open) return view.verdict;
        pause_at_ = budget ? meter_.nodes() + budget : 0;
        const std::uint64_t key = rules_.key(s, view.live);
        const Numbers::Entry* entry = numbers_.find(key);
        if (!entry || (entry->proof && entry->disproof)) {
            expand(s, key, infinite, infinite);
            entry = numbers_.find(key);
        }
        if (!entry) return Verdict::open;
        return entry->proof == 0 ? Verdict::won : entry->disproof == 0 ? Verdict::held : Verdict::open;
    }

    // The next stone on the way to what is known of this position, with the smallest proof that the table remembers.
    int best(const State& s, Verdict known) {
        if (ask(s) != known) throw std::logic_error("a small game's proof does not stand");
        std::vector<Child> all;
        children(s, rules_.view(s), all);
        for (bool again : {false, true}) {
            const Child* best = nullptr;
            for (Child& child : all) {
                if (again && ask(child.state) == known) return child.square;  // the table forgot which it was
                const bool is_known = (known == Verdict::won ? child.proof : child.disproof) == 0;
                if (is_known && (!best || child.size < best->size)) best = &child;
            }
            if (best) return best->square;
        }
        throw std::logic_error("a small game's proof does not stand");
    }

private:
    static constexpr int pairing_budget = 40;

    void children(const State& s, const View& view, std::vector<Child>& out) {
        out.clear();
        each(view.candidates, [&](int square) {
            Child child{square, rules_.after(s, square), 0, 1, 1, 1};
            const View look = rules_.view(child.state);
            if (look.verdict == Verdict::won) {
                child.proof = 0, child.disproof = infinite;
            } else if (look.verdict == Verdict::held) {
                child.proof = infinite, child.disproof = 0;
            } else {
                child.key = rules_.key(child.state, look.live);
                if (!refresh(child)) estimate(child, look);
            }
            out.push_back(child);
        });
    }

    bool refresh(Child& child) const {
        const Numbers::Entry* entry = numbers_.find(child.key);
        if (!entry) return false;
        child.proof = entry->proof, child.disproof = entry->disproof, child.size = entry->size;
        return true;
    }

    void estimate(Child& child, const View& look) {
        const bool pairs_help = rules_.p() == 1 && child.state.mover == attacking && child.state.left == 1;
        if (pairs_help && rules_.pairing(child.state, pairing_budget)) {
            child.proof = infinite, child.disproof = 0;
            numbers_.store({child.key, infinite, 0, 1});
            return;
        }
        // With many moves to choose from the mover is likely to find a good one.
        const auto moves = std::uint32_t(std::popcount(look.candidates));
        (child.state.mover == attacking ? child.disproof : child.proof) = moves;
    }

    // Searches below a position until its numbers reach the limits.
    void expand(const State& s, std::uint64_t key, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        meter_.count();
        const std::uint64_t before = meter_.nodes();
        std::vector<Child> all;
        children(s, rules_.view(s), all);
        const bool attackers = s.mover == attacking;
        const std::uint32_t one_limit = attackers ? proof_limit : disproof_limit;
        const std::uint32_t every_limit = attackers ? disproof_limit : proof_limit;
        const auto own = [attackers](const Child& child) { return attackers ? child.proof : child.disproof; };
        const auto against = [attackers](const Child& child) { return attackers ? child.disproof : child.proof; };
        while (true) {
            const Outlook<Child> outlook(all, own, against);
            std::uint64_t size = meter_.nodes() - before + 1;
            if (outlook.one == 0) {
                size = infinite;
                for (const Child& child : all)
                    if (own(child) == 0) size = std::min<std::uint64_t>(size, child.size + 1u);
            } else if (outlook.every == 0) {
                size = 1;
                for (const Child& child : all) size += child.size;
            }
            const auto kept = std::uint32_t(std::min<std::uint64_t>(size, infinite));
            const std::uint32_t one = outlook.one, every = outlook.every;
            numbers_.store(attackers ? Numbers::Entry{key, one, every, kept} : Numbers::Entry{key, every, one, kept});
            if (one >= one_limit || every >= every_limit || outlook.is_known()) return;
            if (pause_at_ && meter_.nodes() >= pause_at_) return;
            const std::uint32_t child_one = outlook.one_limit(one_limit), child_every = outlook.every_limit(every_limit);
            const Child& next = *outlook.next;
            expand(next.state, next.key, attackers ? child_one : child_every, attackers ? child_every : child_one);
            // Other children may have been met on the way.
            for (Child& child : all)
                if (child.proof && child.disproof) refresh(child);
        }
    }

    const Rules& rules_;
    Meter& meter_;
    Numbers numbers_;
    std::uint64_t pause_at_ = 0;
};

}  // namespace tengen::small
