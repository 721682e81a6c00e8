package io.asynq.test;

import java.time.Clock;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.TaskCompleter;

/**
 * Accepts all outcomes unless told otherwise.
 */
public class FakeCompleter extends TaskCompleter {

	private final Function<List<? extends Outcome>, List<OutcomeResult>> answers;

	public FakeCompleter() {
		this((outcomes) -> Collections.nCopies(outcomes.size(), OutcomeResult.APPLIED));
	}

	public FakeCompleter(Function<List<? extends Outcome>, List<OutcomeResult>> answers) {
		super(null, null, Clock.systemUTC(), ScriptTime.REDIS);
		this.answers = answers;
	}

	@Override
	public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
		return new HashSet<>(tasks);
	}

	@Override
	public void note(String queue, Collection<LeasedTask> tasks) {
	}

	@Override
	public boolean writeResult(Lease lease, byte[] result) {
		return true;
	}

	@Override
	public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
		return this.answers.apply(outcomes);
	}

}
