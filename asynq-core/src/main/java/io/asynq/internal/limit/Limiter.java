package io.asynq.internal.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.limit.LimitStore.Answer;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.LimitClass;
import io.asynq.internal.worker.LimitGate;
import io.asynq.internal.worker.Outcome;

public final class Limiter implements LimitGate {

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

	@Override
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
				limited.add(new Limited(task, limits));
			}
		}
		return new Sorted(unlimited, limited);
	}

	@Override
	public Admission admit(List<Limited> tasks) {
		List<LeasedTask> admitted = new ArrayList<>();
		List<Outcome> refused = new ArrayList<>();
		List<LimitClaim> claims = tasks.stream().map(Limiter::claim).toList();
		List<Answer> answers = claims.isEmpty() ? List.of() : take(claims);
		for (int i = 0; i < tasks.size(); i++) {
			Limited limited = tasks.get(i);
			if (i < answers.size() && answers.get(i) == Answer.GRANTED) {
				this.held.add(limited.task().lease(), claims.get(i));
				admitted.add(limited.task());
			}
			else {
				refused.add(new Outcome.Wait(limited.task(), limited.limits(), Due.in(LONGEST_WAIT)));
			}
		}
		return new Admission(admitted, refused);
	}

	@Override
	public void release(Lease lease) {
		this.held.release(lease);
	}

	private static LimitClaim claim(Limited limited) {
		LeasedTask task = limited.task();
		return new LimitClaim(limited.limits(), task.message().id(), task.lease().fence(), task.woken());
	}

	private List<Answer> take(List<LimitClaim> claims) {
		try {
			return this.held.take(claims);
		}
		catch (Throwable ex) {
			this.errors.warn("asynq-limits", ex);
			return List.of();
		}
	}

}
