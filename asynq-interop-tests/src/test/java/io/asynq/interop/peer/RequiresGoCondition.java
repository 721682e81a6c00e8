package io.asynq.interop.peer;

import java.util.Map;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Decides for {@link RequiresGo}.
 */
final class RequiresGoCondition implements ExecutionCondition {

	static final String REQUIRED = "ASYNQ_REQUIRE_GO";

	private final Map<String, String> environment;

	private final BooleanSupplier goPresent;

	RequiresGoCondition() {
		this(System.getenv(), GoProgram::canBeBuilt);
	}

	RequiresGoCondition(Map<String, String> environment, BooleanSupplier goPresent) {
		this.environment = environment;
		this.goPresent = goPresent;
	}

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return evaluate();
	}

	ConditionEvaluationResult evaluate() {
		if (this.goPresent.getAsBoolean()) {
			return ConditionEvaluationResult.enabled("Go is on the PATH");
		}
		if (Boolean.parseBoolean(this.environment.get(REQUIRED))) {
			throw new IllegalStateException("These tests need Go on the PATH, and " + REQUIRED
					+ "=true forbids to skip them. Install Go, or unset " + REQUIRED);
		}
		return ConditionEvaluationResult.disabled("These tests need Go on the PATH: install it to run them, or set "
				+ REQUIRED + "=true to have them fail without it");
	}

}
