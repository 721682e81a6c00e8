package io.asynq.archfixture.ring.one;

import io.asynq.archfixture.ring.two.SecondOfRing;

/**
 * Breaks, with the second: no cycles.
 */
public class FirstOfRing {

	public SecondOfRing second;

}
