package io.asynq.broker.limit;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Tokens of limits, and the tasks that wait for them. A task that gets no token is ended
 * with {@link io.asynq.broker.message.Outcome.Wait} and lined up. Whoever gives a token
 * back, or finds one free, is told whose turn it is, and wakes these tasks. What is cut
 * between two of these steps is found later. Safe for concurrent use.
 */
public interface LimitStore {

	/**
	 * Writes the rules of limits as they are configured. Limits without a rule have no
	 * tokens.
	 * @param rules the rules by name
	 */
	void announce(Map<String, LimitRule> rules);

	/**
	 * Changes the rule of a limit, whatever servers announce.
	 * @param rule the rule, {@code null} for the one that servers announce
	 */
	void change(String limit, @Nullable LimitRule rule);

	/**
	 * Takes tokens for tasks, each by itself: one of every limit, or none. Tokens end
	 * unless they are extended.
	 * @return an answer for each, in the same order
	 */
	List<Answer> take(List<LimitClaim> claims);

	/** Extends tokens that are held. */
	void extend(Collection<LimitClaim> claims);

	/**
	 * Gives tokens back. Claims that hold none will not get any: a call that takes some
	 * may be on its way.
	 */
	LimitTurns release(Collection<LimitClaim> claims);

	/**
	 * Notes that tasks wait, after they were ended with an outcome that says so.
	 */
	LimitTurns lineUp(Collection<LimitClass> waiting);

	/**
	 * Notes that tasks wait of which a server may not have noted it, as it ended before.
	 * @param waiting the answer of {@link #unnoted}
	 */
	LimitTurns note(Collection<LimitClass> waiting);

	/**
	 * Finds tasks that can go on because time has passed.
	 * @param all whether to look for tokens of servers that are gone, too
	 */
	LimitTurns look(boolean all);

	/**
	 * Makes waiting tasks of a queue pending, those first that have waited longest.
	 * @return what became of each turn, in the same order
	 */
	List<LimitTurns.Taken> wake(String queue, List<LimitTurns.Turn> turns);

	/** Gives up what was not used of turns, and classes of which no tasks wait. */
	LimitTurns giveBack(List<LimitTurns.Taken> unused);

	/**
	 * Lists waiting tasks of a queue that may not have been lined up, because a server
	 * ended before it could do so. Each queue is looked at by one server in ten seconds.
	 */
	List<LimitClass> unnoted(String queue);

	/**
	 * Lists some of the classes of waiting tasks, so that those without tasks can be
	 * found. One server begins with it in ten seconds.
	 * @param goOn whether this server has begun
	 */
	LimitTurns.Part sweep(boolean goOn);

	/** What became of a claim. */
	enum Answer {

		/** It has a token of each limit. */
		GRANTED,

		/** It must wait. */
		REFUSED,

		/** One of its limits was not announced. */
		UNKNOWN

	}

}
