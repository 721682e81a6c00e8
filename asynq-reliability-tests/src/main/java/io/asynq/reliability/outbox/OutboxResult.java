package io.asynq.reliability.outbox;

import java.util.List;

import io.asynq.reliability.check.Finding;

/** The result of a run. */
public record OutboxResult(int injected, long tasks, long runs, int sentBefore, List<Finding> findings) {

	public OutboxResult on(String database) {
		return new OutboxResult(this.injected, this.tasks, this.runs, this.sentBefore,
				this.findings.stream()
					.map((finding) -> new Finding(finding.invariant(), finding.subject(),
							"on " + database + ", " + finding.detail()))
					.toList());
	}

}
