package io.asynq.broker.limit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Tokens of limits, and the tasks that wait for them. A task that gets no token is ended
 * with {@link io.asynq.broker.message.Outcome.Wait} and lined up; whoever gives a token
 * back makes the next waiting task pending. Each method that gives tokens back, or finds
 * free ones, does so. Safe for concurrent use.
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
	List<Taken> take(List<LimitClaim> claims);

	/** Extends tokens that are held. */
	void extend(Collection<LimitClaim> claims);

	/**
	 * Gives tokens back.
	 * @return queues that have a task pending now that waited for a token
	 */
	Set<String> release(Collection<LimitClaim> claims);

	/**
	 * Notes that tasks wait, after they were ended with an outcome that says so.
	 * @return queues that have a task pending now that waited for a token
	 */
	Set<String> lineUp(Collection<LimitClass> waiting);

	/**
	 * Finds tasks that wait although tokens are free, because a server ended before it
	 * could make them pending, or held the tokens. Each queue is looked at by one server
	 * in ten seconds.
	 * @return queues that have a task pending now that waited for a token
	 */
	Set<String> lookAfter(String queue);

	/**
	 * What became of a claim.
	 *
	 * @param granted whether there are tokens
	 * @param startsIn otherwise, after which time the task may start; {@code null} if it
	 * must wait for a token
	 */
	record Taken(boolean granted, @Nullable Duration startsIn) {
	}

}
