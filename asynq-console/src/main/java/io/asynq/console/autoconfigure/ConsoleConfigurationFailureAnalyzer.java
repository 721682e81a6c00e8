package io.asynq.console.autoconfigure;

import io.asynq.console.autoconfigure.ConsoleConfigurationFailureAnalyzer.ConsoleConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class ConsoleConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConsoleConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ConsoleConfigurationException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action, cause);
	}

	/** The console would not work, or would be open. */
	static final class ConsoleConfigurationException extends RuntimeException {

		private final String action;

		ConsoleConfigurationException(String description, String action) {
			super(description);
			this.action = action;
		}

	}

}
