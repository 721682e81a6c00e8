package io.asynq.test.process;

import java.util.Map;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

public final class RequiresGoCondition implements ExecutionCondition {

	static final String REQUIRED = "ASYNQ_REQUIRE_GO";

	private final Map<String, String> environment;

	private final BooleanSupplier goPresent;

	public RequiresGoCondition() {
		this(System.getenv(), GoProgram::canBeBuilt);
	}

	RequiresGoCondition(Map<String, String> environment, BooleanSupplier goPresent) {
		this.environment = environment;
		this.goPresent = goPresent;
	}

	/**
	 * For tests of engines other than Jupiter.
	 * @throws TestAbortedException if there is no Go and none is required
	 */
	public static void require() {
		if (new RequiresGoCondition().evaluate().isDisabled()) {
			throw new TestAbortedException("These tests need Go on the PATH");
		}
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
					+ "=true forbids skipping them. Install Go, or unset " + REQUIRED);
		}
		return ConditionEvaluationResult.disabled("These tests need Go on the PATH: install it to run them, or set "
				+ REQUIRED + "=true to have them fail without it");
	}

}
