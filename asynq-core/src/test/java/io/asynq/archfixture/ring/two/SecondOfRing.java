package io.asynq.archfixture.ring.two;

import io.asynq.archfixture.ring.one.FirstOfRing;

/**
 * Breaks, with the first: no cycles.
 */
public class SecondOfRing {

	public FirstOfRing first;

}
