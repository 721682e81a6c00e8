package io.asynq.reliability.check;

import java.util.List;

/**
 * Something that must hold after everything was processed.
 */
interface Invariant {

	/**
	 * Returns its name: lower-case words joined by hyphens.
	 */
	String name();

	/**
	 * Looks for violations.
	 * @param evidence the evidence
	 * @return the violations
	 */
	List<Finding> check(Evidence evidence);

}
