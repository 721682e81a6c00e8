package io.asynq.spring.boot.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class InvalidAsynqPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAsynqPropertyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAsynqPropertyException cause) {
		return new FailureAnalysis(
				"The configuration property '" + cause.property() + "' is '" + cause.value() + "'. " + cause.reason(),
				"Change '" + cause.property() + "' in your application's configuration.", cause);
	}

}
