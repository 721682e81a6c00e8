package io.asynq.console.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class ConsoleConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConsoleConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ConsoleConfigurationException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
	}

}
