package io.asynq.console.http;

/**
 * A part of the console's API. Each bean of this type registers its routes.
 */
@FunctionalInterface
public interface ConsoleScreen {

	void register(ConsoleRoutes routes);

}
