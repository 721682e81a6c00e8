package io.asynq.internal.redis;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Error texts of Redis 6.2, 7.0, 7.2 to 8.2 and Valkey.
 */
class AdviceTests {

	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to access one of the channels used as arguments",
			"NOPERM No permissions to access a channel",
			"ERR ACL failure in script: No permissions to access a channel script: 5f, on @user_script:1.",
			"ERR ACL failure in script: can't publish to the channel mentioned in the command",
			"The user executing the script can't publish to the channel mentioned in the command" })
	void missingChannelPermissionIsNamed(String message) {
		assertThat(Advice.on(message)).contains("lacks a channel", "&asynq:*", "&asynqj:*", "&__redis__:invalidate",
				"docs/security.md");
		assertThat(Advice.isUnnamedCommand(message)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to access one of the keys used as arguments",
			"NOPERM No permissions to access a key",
			"The user executing the script can't access at least one of the keys mentioned in the command arguments",
			"ERR ACL failure in script: can't access at least one of the keys mentioned in the command arguments",
			"ERR ACL failure in script: No permissions to access a key script: 5f, on @user_script:1." })
	void missingKeyPermissionIsNamed(String message) {
		assertThat(Advice.on(message)).contains("lacks keys", "~asynq:*", "~asynqj:*", "docs/security.md");
		assertThat(Advice.isUnnamedCommand(message)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "The user executing the script can't run this command or subcommand",
			"ERR ACL failure in script: can't run this command or subcommand",
			"ERR ACL failure in script: User asynq has no permissions to run the 'unlink' command script: 5f" })
	void commandInScriptIsNamed(String message) {
		assertThat(Advice.isUnnamedCommand(message)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to run the 'publish' command or its subcommand",
			"NOPERM this user has no permissions to run the 'client|tracking' command",
			"NOPERM User asynq has no permissions to run the 'publish' command" })
	void missingCommandNamedByRedisIsRepeated(String message) {
		assertThat(Advice.on(message)).contains("lacks this right", "docs/security.md");
	}

	@Test
	void missingDatabaseIsNamed() {
		assertThat(Advice.on("NOPERM No permissions to access a database")).contains("spring.data.redis.database");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ERR unknown command 'EVALSHA', with args beginning with: 'OOM NOPERM READONLY '",
			"ERR unknown command `ZRANGESTORE`, with args beginning with: `a`",
			"@user_script: 3: Unknown Redis command called from Lua script",
			"ERR Unknown Redis command called from script script: 5f",
			"ERR Unknown command called from script script: 5f",
			"ERR Wrong number of args calling Redis command from script",
			"ERR Wrong number of args calling command from script",
			"ERR Error running script: @user_script: 106: Write commands not allowed after non deterministic commands" })
	void serverThatIsTooOldIsRecognized(String message) {
		assertThat(Advice.on(message)).contains("Redis 6.2 or newer");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			NOAUTH HELLO must be called with the client already authenticated | spring.data.redis.password
			WRONGPASS invalid username-password pair or user is disabled. | spring.data.redis.username
			ERR invalid password | check spring.data.redis.password
			ERR AUTH <password> called without any password configured for the default user. | remove
			OOM command not allowed when used memory > 'maxmemory'. | maxmemory
			-OOM command not allowed when used memory > 'maxmemory'. script: 5f | maxmemory
			WRONGTYPE Operation against a key holding the wrong kind of value | rename
			READONLY You can't write against a read only replica. | connect to the primary
			NOREPLICAS Not enough good replicas to write. | min-replicas-to-write
			-NOREPLICAS Not enough good replicas to write. script: 5f | min-replicas-to-write
			MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'. | primary
			TRYAGAIN Multiple keys request during rehashing of slot | try again
			CLUSTERDOWN Hash slot not served | no master
			LOADING Redis is loading the dataset in memory | after a start
			LOADING Valkey is loading the dataset in memory | after a start
			BUSY Valkey is busy running a script. You can only call SCRIPT KILL | SLOWLOG
			MISCONF Errors writing to the AOF file: No space left on device | disk
			MISCONF Valkey is configured to save RDB snapshots, but it's unable to persist to disk. | disk
			MOVED 866 127.0.0.1:7000 | spring.data.redis.cluster.nodes
			""")
	void everyKnownErrorHasAdvice(String message, String advice) {
		assertThat(Advice.on(message)).contains(advice);
	}

	@Test
	void unknownErrorHasNoAdvice() {
		assertThat(Advice.on("ERR something new")).isEmpty();
		assertThat(Advice.onConnection("something new")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			Failed to connect to redis:6380: unable to find valid certification path to requested target | ssl.bundle
			Unable to connect to redis:6380; unrecognized SSL message, plaintext connection? | speaks no TLS
			Unexpected end of stream: cannot connect to redis:6380 | spring.data.redis.ssl
			Failed to connect to any host resolved for DNS name. | spring.data.redis.host
			Connection refused: localhost/127.0.0.1:1 | spring.data.redis.host
			java.net.UnknownHostException: redis | spring.data.redis.host
			""")
	void reasonPrecedesAddress(String message, String advice) {
		assertThat(Advice.onConnection(message)).contains(advice);
	}

}
