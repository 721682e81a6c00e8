package io.asynq.test;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.asynq.broker.TaskCompleter;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;

/**
 * Accepts all outcomes unless told otherwise.
 */
public class FakeCompleter implements TaskCompleter {

	private final Function<List<? extends Outcome>, List<OutcomeResult>> answers;

	public FakeCompleter() {
		this((outcomes) -> Collections.nCopies(outcomes.size(), OutcomeResult.APPLIED));
	}

	public FakeCompleter(Function<List<? extends Outcome>, List<OutcomeResult>> answers) {
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
