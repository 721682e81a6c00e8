package io.asynq.console;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of the web console.
 *
 * @param path Path below the context path of the application, or of the management
 * server.
 * @param server Server that has the console: that of the application, or that of the
 * actuator.
 * @param access What the console does at most: nothing, look, or change things too.
 * @param maxAccess Limit of 'access', for those who run the application.
 * @param security Who may come in: those whom Spring Security, an authorizer bean, or
 * without both a token admits; or everybody.
 * @param token Token that lets browsers in without Spring Security, the same for several
 * instances; without it each start logs a link with a new token that can be used once.
 * @param authorities Authorities of Spring Security that the console asks for.
 * @param showPayloads When payloads, results and the values of headers are shown.
 * @param requireReason Whether each change needs a reason, which the audit event has.
 * @param title Title of the page, such as the name of the environment.
 * @param refresh How often Redis is read while somebody looks.
 * @param scanLimit How many tasks one call of a filter looks at.
 */
@ConfigurationProperties("asynq.console")
public record AsynqConsoleProperties(@DefaultValue("/asynq") String path,
		@DefaultValue("application") ServerChoice server, @DefaultValue("read-only") Access access,
		@DefaultValue("unrestricted") Access maxAccess, @DefaultValue("auto") Security security, @Nullable String token,
		@DefaultValue Authorities authorities, @DefaultValue("when-authorized") ShowPayloads showPayloads,
		@DefaultValue("false") boolean requireReason, @DefaultValue("asynq") String title,
		@DefaultValue("2s") Duration refresh, @DefaultValue("10000") int scanLimit) {

	public AsynqConsoleProperties {
		Assert.isTrue(path.matches("(/[A-Za-z0-9._~-]+)+"), () -> "asynq.console.path must be a path such as /asynq,"
				+ " of letters, digits and the characters . _ ~ -, but is '" + path + "'");
		// Not quoted: it may end up in a log
		Assert.isTrue(token == null || token.matches("[A-Za-z0-9._~-]{16,}"),
				"asynq.console.token must have at least 16 characters, of letters, digits and . _ ~ - only");
		Assert.isTrue(refresh.toMillis() >= 500 && refresh.compareTo(Duration.ofMinutes(1)) <= 0,
				() -> "asynq.console.refresh must be from 500ms to 1m, but is " + refresh);
		Assert.isTrue(scanLimit >= 100 && scanLimit <= 1_000_000,
				() -> "asynq.console.scan-limit must be from 100 to 1000000, but is " + scanLimit);
	}

	/** Leaves out the token. */
	@Override
	public String toString() {
		return "Console at " + this.path;
	}

	/** Returns the lower one of both settings. */
	public Access effectiveAccess() {
		return (this.access.compareTo(this.maxAccess) < 0) ? this.access : this.maxAccess;
	}

	/** What the console does at most. */
	public enum Access {

		/** There is no console. */
		NONE,

		/** It shows things. */
		READ_ONLY,

		/** It changes things too. */
		UNRESTRICTED

	}

	/** The server that has the console. */
	public enum ServerChoice {

		/** That of the application. */
		APPLICATION,

		/** That of the actuator, which may have a port of its own. */
		MANAGEMENT

	}

	/** Who may come in. */
	public enum Security {

		/** Those whom an authorizer bean admits, else Spring Security, else a token. */
		AUTO,

		/** Everybody who reaches the port. */
		NONE

	}

	/** When payloads are shown. */
	public enum ShowPayloads {

		/** To nobody. */
		NEVER,

		/** To those who may change tasks, and to those who have come with a token. */
		WHEN_AUTHORIZED,

		/** To everybody who may look. */
		ALWAYS

	}

	/**
	 * Names of authorities. One that begins with {@code ROLE_} and goes on with the name
	 * counts as well.
	 *
	 * @param viewer Authority of those who may look.
	 * @param operator Authority of those who may also change tasks and pause queues.
	 * @param admin Authority of those who may also delete queues, delete all tasks of a
	 * state, and repair.
	 */
	public record Authorities(@DefaultValue("ASYNQ_VIEWER") String viewer,
			@DefaultValue("ASYNQ_OPERATOR") String operator, @DefaultValue("ASYNQ_ADMIN") String admin) {

		public Authorities {
			Assert.isTrue(!viewer.isBlank() && !operator.isBlank() && !admin.isBlank(),
					"asynq.console.authorities must not be empty: it would admit nobody, or everybody");
		}

	}

}
