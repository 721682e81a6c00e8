package io.asynq.console.http;

/**
 * A part of the console's API. Each bean of this type registers its routes.
 */
@FunctionalInterface
public interface ConsoleScreen {

	/** Registers what this screen shows and changes. */
	void register(ConsoleRoutes routes);

}
