package io.asynq.spring.boot.test;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.MissingHandlers;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.TaskCompleter;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last outcome that was written, which is not always the one that was
 * decided: a task that has waited too long for a handler is archived. Used by one thread
 * at a time.
 */
final class WrittenOutcomes implements TaskCompleter {

	private final TaskCompleter completer;

	private final MissingHandlers missing;

	private volatile @Nullable Outcome last;

	/**
	 * @param missing is told of types that have no handler: no other server has one
	 */
	WrittenOutcomes(TaskCompleter completer, MissingHandlers missing) {
		this.completer = completer;
		this.missing = missing;
	}

	@Override
	public Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
		return this.completer.begin(queue, tasks);
	}

	@Override
	public void note(String queue, Collection<LeasedTask> tasks) {
		this.completer.note(queue, tasks);
	}

	@Override
	public boolean writeResult(Lease lease, byte[] result) {
		return this.completer.writeResult(lease, result);
	}

	@Override
	public List<OutcomeResult> report(List<? extends Outcome> outcomes) {
		List<OutcomeResult> results = this.completer.report(outcomes);
		Outcome written = outcomes.get(outcomes.size() - 1);
		this.last = written;
		if (written instanceof Outcome.Unhandled unhandled) {
			this.missing.note(unhandled.message().queue(), Map.of(unhandled.message().type(), 1L));
		}
		return results;
	}

	/** Returns the outcome and forgets it. */
	Outcome take() {
		Outcome taken = this.last;
		this.last = null;
		if (taken == null) {
			throw new IllegalStateException("The attempt has ended without an outcome");
		}
		return taken;
	}

}
