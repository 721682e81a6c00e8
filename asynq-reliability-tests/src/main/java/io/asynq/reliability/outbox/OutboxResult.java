package io.asynq.reliability.outbox;

import java.util.List;

import io.asynq.reliability.check.Finding;

/**
 * The result of a run.
 *
 * @param injected how often the application was killed and Redis stopped
 * @param tasks the number of tasks of committed transactions
 * @param runs the number of runs of handlers
 * @param sentBefore how many rows kills have left behind whose tasks had run already
 * @param findings the violations, empty if there are none
 */
public record OutboxResult(int injected, long tasks, long runs, int sentBefore, List<Finding> findings) {

	/**
	 * Returns this result with the name of the database in its findings.
	 */
	public OutboxResult on(String database) {
		return new OutboxResult(this.injected, this.tasks, this.runs, this.sentBefore,
				this.findings.stream()
					.map((finding) -> new Finding(finding.invariant(), finding.subject(),
							"on " + database + ", " + finding.detail()))
					.toList());
	}

}
