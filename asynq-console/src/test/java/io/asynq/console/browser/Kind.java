package io.asynq.console.browser;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.asynq.test.process.Repository;

/**
 * What an application is made of: the jars that it would not have are left out.
 */
enum Kind {

	/** Spring MVC without Spring Security. */
	OPEN(Shop.class, "spring-(boot-)?security|webflux|reactor-netty"),

	/** The same, with the console's files of another version. */
	OTHER_VERSION(Shop.class, "spring-(boot-)?security|webflux|reactor-netty", "asynq-console/src/test/other-version"),

	/** WebFlux without Spring Security; servlets are not there at all. */
	REACTIVE(Shop.class, "spring-(boot-)?security|webmvc|spring-boot-servlet|tomcat|jakarta\\.servlet"),

	/** Spring MVC with Spring Boot's own filter chain. */
	GUARDED(GuardedShop.class, "webflux|reactor-netty");

	private final Class<?> main;

	private final Pattern without;

	private final List<String> besides;

	Kind(Class<?> main, String without, String... besides) {
		this.main = main;
		this.without = Pattern.compile("/[^/]*(" + without + ")[^/]*\\.jar$");
		this.besides = Stream.of(besides).map((folder) -> Repository.path(folder).toString()).toList();
	}

	/**
	 * Returns the command that starts it in the same version of Java.
	 */
	List<String> command(List<String> arguments) {
		List<String> entries = new ArrayList<>(List.of(System.getProperty("java.class.path").split(":")));
		entries.removeIf((entry) -> this.without.matcher(entry).find());
		entries.addAll(this.besides);
		List<String> command = new ArrayList<>(
				List.of(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
						"-Xmx256m", "-cp", String.join(":", entries), this.main.getName()));
		command.addAll(arguments);
		return command;
	}

}
