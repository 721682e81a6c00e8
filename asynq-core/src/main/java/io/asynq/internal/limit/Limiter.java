package io.asynq.internal.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.limit.LimitStore.Answer;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.Outcome;

public final class Limiter {

	/** Nobody who knows the limit may be left to wake a task. */
	private static final Duration LONGEST_WAIT = Duration.ofHours(1);

	private final LimitRules rules;

	private final HeldTokens held;

	private final LoopErrorLog errors;

	public Limiter(LimitRules rules, HeldTokens held, LoopErrorLog errors) {
		this.rules = rules;
		this.held = held;
		this.errors = errors;
	}

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
				limited.add(new Limited(task,
						new LimitClaim(limits, task.message().id(), task.lease().fence(), task.woken())));
			}
		}
		return new Sorted(unlimited, limited);
	}

	/** Where it is not known whether there is a token, a task waits. */
	public Admission admit(List<Limited> tasks) {
		List<LeasedTask> admitted = new ArrayList<>();
		List<Outcome> refused = new ArrayList<>();
		List<Answer> answers = tasks.isEmpty() ? List.of() : take(tasks);
		for (int i = 0; i < tasks.size(); i++) {
			Limited limited = tasks.get(i);
			if (i < answers.size() && answers.get(i) == Answer.GRANTED) {
				this.held.add(limited.task().lease(), limited.claim());
				admitted.add(limited.task());
			}
			else {
				refused.add(new Outcome.Wait(limited.task(), limited.claim().limits(), Due.in(LONGEST_WAIT)));
			}
		}
		return new Admission(admitted, refused);
	}

	public void release(LeasedTask task) {
		this.held.release(task.lease());
	}

	private List<Answer> take(List<Limited> tasks) {
		List<LimitClaim> claims = tasks.stream().map(Limited::claim).toList();
		try {
			return this.held.take(claims);
		}
		catch (Throwable ex) {
			this.errors.warn("asynq-limits", ex);
			return List.of();
		}
	}

	public record Sorted(List<LeasedTask> unlimited, List<Limited> limited) {
	}

	public record Limited(LeasedTask task, LimitClaim claim) {
	}

	public record Admission(List<LeasedTask> admitted, List<Outcome> refused) {
	}

}
