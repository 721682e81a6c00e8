package io.asynq.server.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.broker.TaskCompleter;
import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.limit.LimitStore.Taken;
import io.asynq.broker.message.Due;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Lets those of the tasks that were taken run that have a token of each of their limits,
 * and puts the others off, all with a few calls. Safe for concurrent use.
 */
public final class Limiter {

	/**
	 * Nobody may be left to promote a task but Go servers, or nobody who knows its limit.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofHours(1);

	private static final Duration UNTIL_REDIS_IS_BACK = Duration.ofSeconds(2);

	private final LimitRules rules;

	private final TaskCompleter completer;

	private final HeldTokens held;

	private final LoopErrorLog errors;

	/**
	 * @param held knows the tokens of this server, and gives them back
	 */
	public Limiter(LimitRules rules, TaskCompleter completer, HeldTokens held, LoopErrorLog errors) {
		this.rules = rules;
		this.completer = completer;
		this.held = held;
		this.errors = errors;
	}

	/**
	 * Finds out which limits apply to tasks.
	 */
	public Sorted sort(List<LeasedTask> tasks) {
		if (this.rules.areNone()) {
			return new Sorted(tasks, List.of());
		}
		List<LeasedTask> unlimited = new ArrayList<>();
		List<Limited> limited = new ArrayList<>();
		for (LeasedTask task : tasks) {
			LimitClass limits = this.rules.of(task.message());
			if (limits == null) {
				unlimited.add(task);
			}
			else {
				limited.add(new Limited(task, new LimitClaim(limits, task.message().id(), task.lease().fence())));
			}
		}
		return new Sorted(unlimited, limited);
	}

	/**
	 * Takes tokens for tasks, and puts off those that get none.
	 * @return those that have tokens, in their order
	 */
	public List<LeasedTask> admitted(List<Limited> tasks) {
		if (tasks.isEmpty()) {
			return List.of();
		}
		List<Taken> answers = take(tasks.stream().map(Limited::claim).toList());
		List<LeasedTask> admitted = new ArrayList<>();
		List<Outcome> outcomes = new ArrayList<>();
		for (int i = 0; i < tasks.size(); i++) {
			Limited limited = tasks.get(i);
			Taken answer = (answers != null) ? answers.get(i) : null;
			if (answer != null && answer.granted()) {
				this.held.add(limited.task().lease(), limited.claim());
				admitted.add(limited.task());
			}
			else {
				outcomes.add(putOff(limited.task(), answer, limited.claim().limits()));
			}
		}
		if (!outcomes.isEmpty()) {
			putOffOrLog(outcomes);
		}
		return admitted;
	}

	/**
	 * Gives the tokens of an attempt back, if it has some.
	 */
	public void release(LeasedTask task) {
		this.held.release(task.lease());
	}

	private @Nullable List<Taken> take(List<LimitClaim> claims) {
		try {
			return this.held.take(claims);
		}
		catch (BrokerException ex) {
			this.errors.warn("asynq-limits", ex);
			return null;
		}
	}

	private static Outcome putOff(LeasedTask task, @Nullable Taken answer, LimitClass limits) {
		if (answer == null) {
			return new Outcome.Postpone(task, Due.in(UNTIL_REDIS_IS_BACK));
		}
		return (answer.startsIn() != null) ? new Outcome.Wait(task, limits, Due.in(answer.startsIn()), true)
				: new Outcome.Wait(task, limits, Due.in(LONGEST_WAIT), false);
	}

	/**
	 * Tasks that cannot be put off are recovered when their leases have ended. Those that
	 * have tokens must start all the same.
	 */
	private void putOffOrLog(List<Outcome> outcomes) {
		try {
			putOff(outcomes);
		}
		catch (Throwable ex) {
			this.errors.warn("asynq-limits", ex);
		}
	}

	/**
	 * If Redis does not take an outcome, the task is recovered when its lease has ended.
	 */
	private void putOff(List<Outcome> outcomes) {
		List<OutcomeResult> results = this.completer.report(outcomes);
		Set<LimitClass> waiting = new LinkedHashSet<>();
		for (int i = 0; i < outcomes.size(); i++) {
			if (outcomes.get(i) instanceof Outcome.Wait wait
					&& results.get(i).status() == OutcomeResult.Status.APPLIED) {
				waiting.add(wait.needs());
			}
		}
		if (!waiting.isEmpty()) {
			this.held.lineUp(waiting);
		}
	}

	/**
	 * Tasks by whether a limit applies to them.
	 */
	public record Sorted(List<LeasedTask> unlimited, List<Limited> limited) {
	}

	/**
	 * A task with what it needs.
	 */
	public record Limited(LeasedTask task, LimitClaim claim) {
	}

}
