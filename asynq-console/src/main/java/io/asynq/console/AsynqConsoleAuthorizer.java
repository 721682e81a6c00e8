package io.asynq.console;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Decides what somebody may do in the console. A bean takes the place of the authorities
 * of Spring Security, or of the token without it; {@code asynq.console.access} still
 * limits what it allows. It may block, is called several times for a request, and must be
 * safe for concurrent use. What it throws refuses the call.
 */
@FunctionalInterface
public interface AsynqConsoleAuthorizer {

	/**
	 * Tells whether somebody has a right.
	 * @param who the user, with Spring Security an {@code Authentication}; {@code null}
	 * if nobody is logged in
	 * @param right the right
	 * @param queue the queue it is about, {@code null} for the console as a whole: its
	 * page, what concerns no single queue, and changes to several queues. Queues that the
	 * user may not look at are left out of lists
	 */
	boolean isAllowed(@Nullable Principal who, ConsoleRight right, @Nullable String queue);

}
