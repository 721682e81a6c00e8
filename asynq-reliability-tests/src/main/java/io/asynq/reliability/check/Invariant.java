package io.asynq.reliability.check;

import java.util.List;

/**
 * Something that must hold when everything has been worked off.
 */
interface Invariant {

	/**
	 * Returns its name.
	 * @return lower-case words joined by hyphens
	 */
	String name();

	/**
	 * Looks for what violates it.
	 * @param evidence what is known
	 * @return what was found
	 */
	List<Finding> check(Evidence evidence);

}
