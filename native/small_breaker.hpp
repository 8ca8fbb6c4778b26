// Does the defender hold even if no row of his own counts? With one stone a move that is a game played on nothing but
// gaps: what the attacker lacks on each segment that is open to him. A stone of his makes gaps smaller, one of the
// defender's takes them away.
//
// If he does hold, this is much easier to find than by the whole game. A gap that contains another one need not be watched.
// Gaps that share no square with the others are a game of their own, and the defender holds exactly if he holds each of
// these with the attacker to move. A square that lies on all gaps of another one is at least as good for both sides. And
// gaps have the same value wherever they lie, turned and mirrored in any way. That he does not hold means nothing for
// the whole game, where he may have threats.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "meter.hpp"
#include "small_game.hpp"
#include "small_numbers.hpp"

namespace tengen::small {

class Breaker {
public:
    Breaker(const Rules& rules, Meter& meter, int table_bits) : rules_(rules), meter_(meter), numbers_(table_bits) {
        for (std::size_t x = 0; x < 64; ++x)
            for (std::size_t y = 0; y < 64; ++y) codes_[x][y] = mix(x * 64 + y + 1);
    }

    // Whether this can be asked at all.
    static bool knows(const Rules& rules) { return rules.p() == 1; }

    // Searches on for at most so many nodes; 0 means until it is known. `won` is about the game without his rows.
    Verdict ask(const State& s, std::uint64_t budget = 0) {
        pause_at_ = budget ? meter_.nodes() + budget : 0;
        Gaps gaps = rules_.gaps(s);
        if (!gaps.empty() && gaps.front() == 0) return Verdict::won;  // he has a row already
        if (s.mover == attacking) return ask_parts(gaps);
        Node reply = after_attack(std::move(gaps));
        search_on(reply, true);
        return reply.verdict();
    }

    // The defender's next stone on the way to holding, which he does.
    int best(const State& s) {
        const Gaps gaps = rules_.gaps(s);
        const Bits replies = sensible_replies(gaps);
        for (Bits left = replies; left; left &= left - 1)
            if (pairing(without(gaps, lowest(left)), thorough_pairing)) return std::countr_zero(left);
        int best = -1;
        std::uint32_t least = ~std::uint32_t(0);
        each(replies, [&](int square) {
            const Reply reply = after_reply(gaps, bit(square));
            if (reply.disproof == 0 && reply.size() < least) least = reply.size(), best = square;
        });
        if (best >= 0) return best;
        for (std::uint64_t budget = 1;; budget *= 4) {  // one may have been forgotten, but none takes long to find again
            for (Bits left = replies; left; left &= left - 1) {
                pause_at_ = meter_.nodes() + budget;
                if (ask_parts(without(gaps, lowest(left))) == Verdict::held) return std::countr_zero(left);
            }
            meter_.count();
            if (!replies || budget > infinite) throw std::logic_error("a small game's proof does not stand");
        }
    }

private:
    static constexpr int quick_pairing = 40, thorough_pairing = 200;  // the second for strategies: each saves a tree
    static constexpr std::uint32_t harmless_size = 50;  // a strategy without pairs is long, even if it is simple
    static constexpr double caution = 40, hope = 20;  // what danger makes of first numbers

    struct Node {  // gaps with either side to move
        Gaps gaps;
        std::uint64_t key = 0;
        std::uint32_t proof = 1, disproof = 1;
        std::uint32_t size = 1;  // of the strategy, if he holds

        bool is_open() const { return proof && disproof; }
        Verdict verdict() const { return proof == 0 ? Verdict::won : disproof == 0 ? Verdict::held : Verdict::open; }
        void settle(Verdict verdict) {
            proof = verdict == Verdict::won ? 0 : infinite;
            disproof = verdict == Verdict::won ? infinite : 0;
        }
        // The more danger, the harder to hold.
        void estimate(double danger) {
            proof = 1 + std::uint32_t(hope / danger);
            disproof = 1 + std::uint32_t(caution * danger);
        }
    };

    template <class Child>
    static std::uint32_t proof_of(const Child& child) { return child.proof; }
    template <class Child>
    static std::uint32_t disproof_of(const Child& child) { return child.disproof; }

    struct Reply {  // what is left, in parts: the attacker may go on in any, and must be held in each
        std::vector<Node> parts;
        std::uint32_t proof = infinite, disproof = 0;

        void add_up() {
            const Outlook<Node> outlook(parts, proof_of<Node>, disproof_of<Node>);
            proof = outlook.one, disproof = outlook.every;
        }
        // A strategy speaks of all parts at a time.
        std::uint32_t size() const {
            std::uint64_t product = 1;
            for (const Node& part : parts) product = std::min<std::uint64_t>(product * part.size, infinite);
            return std::uint32_t(product);
        }
    };

    // Gaps

    static double danger(const Gaps& gaps) {
        double sum = 0;
        for (Bits gap : gaps) sum += std::ldexp(1.0, -std::popcount(gap));
        return sum;
    }

    static bool is_harmless(double danger) { return danger < 1 - 1e-9; }  // with the defender to move

    // Those of some squares that no other one of them replaces.
    static Bits undominated(const Gaps& gaps, Bits from) {
        std::array<Bits, 64> common;  // the squares that lie on all gaps of a square
        each(from, [&](int square) { common[std::size_t(square)] = from; });
        for (Bits gap : gaps) each(gap & from, [&](int square) { common[std::size_t(square)] &= gap; });
        Bits best = 0;
        each(from, [&](int square) {
            bool is_needed = true;
            each(common[std::size_t(square)] & ~bit(square), [&](int other) {
                is_needed = is_needed && common[std::size_t(other)] & bit(square) && square < other;
            });
            if (is_needed) best |= bit(square);
        });
        return best;
    }

    // Two gaps of two squares that cross are lost unless one of them is met, and so is a gap of one. The smallest come first.
    static Bits sensible_replies(const Gaps& gaps) {
        Bits from = squares_of(gaps);
        for (std::size_t i = 0; i < gaps.size() && std::popcount(gaps[i]) <= 2; ++i) {
            if (std::popcount(gaps[i]) == 1) from &= gaps[i];
            for (std::size_t j = 0; j < i; ++j)
                if (gaps[i] & gaps[j]) from &= gaps[i] | gaps[j];
        }
        return undominated(gaps, from);
    }

    std::uint64_t key_of(const Gaps& gaps, bool is_reply) {
        const Bits all = squares_of(gaps);
        const int width = rules_.width();
        int left = 64, right = 0, low = 64, high = 0;
        each(all, [&](int square) {
            left = std::min(left, square % width), right = std::max(right, square % width);
            low = std::min(low, square / width), high = std::max(high, square / width);
        });
        each(all, [&](int square) {
            const auto x = std::size_t(square % width - left), y = std::size_t(square / width - low);
            const auto u = std::size_t(right - square % width), v = std::size_t(high - square / width);
            images_[std::size_t(square)] = {codes_[x][y], codes_[u][y], codes_[x][v], codes_[u][v],
                                            codes_[y][x], codes_[v][x], codes_[y][u], codes_[v][u]};
        });
        std::array<std::uint64_t, 8> sums{};
        for (Bits gap : gaps) {
            std::array<std::uint64_t, 8> sum{};
            each(gap, [&](int square) {
                for (std::size_t i = 0; i < 8; ++i) sum[i] += images_[std::size_t(square)][i];
            });
            for (std::size_t i = 0; i < 8; ++i) sums[i] += mix(sum[i]);
        }
        return mix(*std::min_element(sums.begin(), sums.end()) + is_reply);
    }

    // Nodes

    bool refresh(Node& node) const {
        const Numbers::Entry* entry = numbers_.find(node.key);
        if (entry) node.proof = entry->proof, node.disproof = entry->disproof, node.size = entry->size;
        return entry != nullptr;
    }

    // The attacker is to move.
    void look(Node& part) {
        Bits twos = 0;
        for (Bits gap : part.gaps) {
            const int lack = std::popcount(gap);
            if (lack == 1 || (lack == 2 && (twos & gap))) return part.settle(Verdict::won);  // now, or by two at once
            if (lack == 2) twos |= gap;
        }
        const double risk = 2 * danger(part.gaps);
        if (is_harmless(risk)) {
            part.size = harmless_size;
            return part.settle(Verdict::held);
        }
        part.key = key_of(part.gaps, false);
        if (refresh(part)) return;
        if (!pairing(part.gaps, quick_pairing)) return part.estimate(risk);
        part.settle(Verdict::held);
        numbers_.store({part.key, infinite, 0, 1});
    }

    // The defender is to move.
    Node after_attack(Gaps&& gaps) {
        Node node{std::move(gaps)};
        const double risk = danger(node.gaps);
        if (is_harmless(risk)) {
            node.settle(Verdict::held);
        } else {
            node.key = key_of(node.gaps, true);
            if (!refresh(node)) node.estimate(risk);
        }
        return node;
    }

    Reply after_reply(const Gaps& gaps, Bits square) {
        Reply reply;
        for (Gaps& part : parts_of(without(gaps, square))) look(reply.parts.emplace_back(Node{std::move(part)}));
        reply.add_up();
        return reply;
    }

    Verdict ask_parts(const Gaps& gaps) {
        Verdict verdict = Verdict::held;
        for (Gaps& own : parts_of(gaps)) {
            Node part{std::move(own)};
            look(part);
            search_on(part, false);
            if (part.proof == 0) return Verdict::won;
            if (part.disproof) verdict = Verdict::open;
        }
        return verdict;
    }

    void search_on(Node& node, bool is_reply) {
        if (!node.is_open() || is_paused()) return;
        if (is_reply) expand_reply(node, infinite, infinite);
        else expand_attack(node, infinite, infinite);
        refresh(node);
    }

    bool is_paused() const { return pause_at_ && meter_.nodes() >= pause_at_; }

    void keep(const Node& node, std::uint32_t proof, std::uint32_t disproof, std::uint64_t size) {
        numbers_.store({node.key, proof, disproof, std::uint32_t(std::min<std::uint64_t>(size, infinite))});
    }

    void expand_attack(const Node& node, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        const std::uint64_t begun = meter_.nodes();
        meter_.count();
        std::vector<Node> attacks;
        each(undominated(node.gaps, squares_of(node.gaps)), [&](int square) {
            Gaps gaps = node.gaps;
            for (Bits& gap : gaps) gap &= ~bit(square);
            keep_smallest(gaps);
            attacks.push_back(after_attack(std::move(gaps)));
        });
        while (true) {
            const Outlook<Node> outlook(attacks, proof_of<Node>, disproof_of<Node>);
            std::uint64_t size = meter_.nodes() - begun;
            if (outlook.every == 0) {
                size = 1;
                for (const Node& attack : attacks) size += attack.size;
            }
            keep(node, outlook.one, outlook.every, size);
            if (outlook.one >= proof_limit || outlook.every >= disproof_limit || outlook.is_known() || is_paused()) return;
            expand_reply(*outlook.next, outlook.one_limit(proof_limit), outlook.every_limit(disproof_limit));
            for (Node& attack : attacks)
                if (attack.is_open()) refresh(attack);
        }
    }

    void expand_reply(const Node& node, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
        const std::uint64_t begun = meter_.nodes();
        meter_.count();
        std::vector<Reply> replies;
        for (Bits left = sensible_replies(node.gaps); left; left &= left - 1) {
            Reply reply = after_reply(node.gaps, lowest(left));
            if (reply.disproof == 0) return keep(node, infinite, 0, reply.size() + 1);
            if (reply.proof) replies.push_back(std::move(reply));
        }
        while (true) {
            const Outlook<Reply> outlook(replies, disproof_of<Reply>, proof_of<Reply>);
            std::uint64_t size = meter_.nodes() - begun;
            if (outlook.one == 0) size = outlook.next->size() + 1u;
            keep(node, outlook.every, outlook.one, size);
            if (outlook.one >= disproof_limit || outlook.every >= proof_limit || outlook.is_known() || is_paused()) return;
            const std::uint32_t proof_left = outlook.every_limit(proof_limit), disproof_left = outlook.one_limit(disproof_limit);
            const Outlook<Node> within(outlook.next->parts, proof_of<Node>, disproof_of<Node>);
            expand_attack(*within.next, within.one_limit(proof_left), within.every_limit(disproof_left));
            for (Reply& reply : replies) {
                for (Node& part : reply.parts)
                    if (part.is_open()) refresh(part);
                reply.add_up();
            }
        }
    }

    const Rules& rules_;
    Meter& meter_;
    Numbers numbers_;
    std::array<std::array<std::uint64_t, 64>, 64> codes_{};
    std::array<std::array<std::uint64_t, 8>, 64> images_{};  // of the squares of the gaps at hand
    std::uint64_t pause_at_ = 0;
};

}  // namespace tengen::small
