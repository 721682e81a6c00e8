package io.asynq.spring.boot.autoconfigure;

import java.util.function.Function;
import java.util.stream.Collectors;

import io.asynq.internal.check.Finding;
import io.asynq.operations.preflight.PreflightFailedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class PreflightFailureAnalyzer extends AbstractFailureAnalyzer<PreflightFailedException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, PreflightFailedException cause) {
		return new FailureAnalysis(
				"'asynq.server.preflight' is 'fail', and the check of Redis found:\n\n"
						+ lines(cause, Finding::problem),
				"Do this, or set 'asynq.server.preflight' to 'warn':\n\n" + lines(cause, Finding::fix), cause);
	}

	private static String lines(PreflightFailedException cause, Function<Finding, String> part) {
		return cause.findings()
			.stream()
			.map((finding) -> "  - " + part.apply(finding))
			.collect(Collectors.joining("\n"));
	}

}
