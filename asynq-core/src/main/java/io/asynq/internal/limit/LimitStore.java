package io.asynq.internal.limit;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.internal.worker.LimitClass;
import org.jspecify.annotations.Nullable;

/**
 * A task that gets no token is ended with {@link io.asynq.internal.worker.Outcome.Wait}
 * and lined up; whoever frees a token is told whose turn it is and wakes these tasks.
 */
public interface LimitStore {

	/** Limits whose rule was never announced have no tokens. */
	void announce(Map<String, LimitRule> rules);

	/** Wins over what servers announce, until it is {@code null} again. */
	void change(String limit, @Nullable LimitRule rule);

	/** Takes one token of every limit, or none; tokens expire unless extended. */
	List<Answer> take(List<LimitClaim> claims);

	void extend(Collection<LimitClaim> claims);

	/**
	 * A claim without a token gets none afterwards: a call that takes it may be on its
	 * way.
	 */
	LimitTurns release(Collection<LimitClaim> claims);

	/** Must follow the outcome that says that the tasks wait. */
	LimitTurns lineUp(Collection<LimitClass> waiting);

	/** Lines up tasks whose server died between ending them and doing so. */
	LimitTurns note(Collection<LimitClass> waiting);

	/**
	 * Finds tasks that can go on by now, with {@code all} also by tokens of dead servers.
	 */
	LimitTurns look(boolean all);

	List<LimitTurns.Taken> wake(String queue, List<LimitTurns.Turn> turns);

	/** Also gives up the place of classes of which no task waits any more. */
	LimitTurns giveBack(List<LimitTurns.Taken> unused);

	/** Each queue is looked at by one server in ten seconds. */
	List<LimitClass> unnoted(String queue);

	/** One server begins a sweep every ten seconds and goes on with it by itself. */
	LimitTurns.Part sweep(boolean goOn);

	enum Answer {

		GRANTED,

		REFUSED,

		UNKNOWN

	}

}
