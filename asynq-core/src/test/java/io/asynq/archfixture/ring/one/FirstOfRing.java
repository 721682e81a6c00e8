package io.asynq.archfixture.ring.one;

import io.asynq.archfixture.ring.two.SecondOfRing;

/**
 * Breaks the rule that there are no cycles, together with the second.
 */
public class FirstOfRing {

	public SecondOfRing second;

}
