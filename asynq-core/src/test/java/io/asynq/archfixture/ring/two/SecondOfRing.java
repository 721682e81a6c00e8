package io.asynq.archfixture.ring.two;

import io.asynq.archfixture.ring.one.FirstOfRing;

/**
 * Breaks the rule that there are no cycles, together with the first.
 */
public class SecondOfRing {

	public FirstOfRing first;

}
