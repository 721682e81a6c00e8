package io.asynq.outbox.jdbc;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class OutboxTableFailureAnalyzer extends AbstractFailureAnalyzer<OutboxTableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, OutboxTableException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Run the script " + cause.script() + " with your migrations, or set"
						+ " 'asynq.outbox.jdbc.initialize-schema' to 'always', or switch the outbox off with"
						+ " 'asynq.outbox.enabled' set to 'false'.",
				cause);
	}

}
