package io.asynq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.asynq.cli.TestShell.Ran;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What bash completes. A program that the test writes stands for the one that the script
 * asks for queues.
 */
@ExtendWith(RedisExtension.class)
class CompletionIT {

	private TestShell shell;

	@TempDir
	private Path folder;

	@BeforeEach
	void setUp(TestRedis redis) {
		this.shell = new TestShell(getClass(), redis);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			task ls -s re;                    retry
			task ls --state a;                active aggregating archived
			task deleteall -q mail -s c;      completed
			queue ls -o ;                     table wide json jsonl
			stats --output js;                json jsonl
			task cancel -q mail --mode de;    delete
			completion z;                     zsh
			task ls -q ;                      default mail mail:bulk
			task inspect --queue ma;          mail mail:bulk
			task runall -q d;                 default
			task enqueue -t x -q d;           default
			group ls -q d;                    default
			queue inspect ma;                 mail mail:bulk
			queue pause default mail:;        mail:bulk
			queue rm d;                       default
			doctor d;                         default
			tail m;                           mail mail:bulk
			""", ignoreLeadingAndTrailingWhitespace = false)
	void completesValues(String line, String expected) throws IOException {
		assertThat(complete(line.substring(line.indexOf(line.strip()))))
			.containsExactlyInAnyOrder(expected.strip().split(" "));
	}

	@Test
	void asksTheRedisThatTheLineNames() throws IOException {
		complete("-u far:1 --db=3 --tls task ls --password x -s retry -q ");
		assertThat(this.folder.resolve("asked")).hasContent("completion --queues -u far:1 --db=3 --tls --password x");
		complete("task ls -s retry -q ");
		assertThat(this.folder.resolve("asked")).hasContent("completion --queues");
	}

	@Test
	void asksNobodyForAnythingElse() throws IOException {
		complete("task ls -s ");
		complete("qu");
		complete("task cancel --mode ");
		assertThat(this.folder.resolve("asked")).doesNotExist();
	}

	@Test
	void namesQueues() {
		assertThat(this.shell.run("completion", "--queues")).isEqualTo(new Ran(0, "", ""));
		for (String queue : List.of("low", "a b", "\u001b[31m", "two\nlines", "ключ")) {
			this.shell.run("task", "enqueue", "-t", "mail", "-l", "x", "-q", queue);
		}
		assertThat(this.shell.run("completion", "--queues")).isEqualTo(new Ran(0, "a b\nlow\nключ\n", ""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-u 127.0.0.1:1", "-u nosuch.invalid:6379", "-p wrong", "-u http://x", "--config nosuch",
			"--cluster --cluster_addrs 127.0.0.1:1" })
	void isSilentIfRedisIsAway(String flags) {
		String[] command = ("completion --queues " + flags).split(" ");
		assertThat(this.shell.run(command)).isEqualTo(new Ran(0, "", ""));
	}

	private List<String> complete(String line) throws IOException {
		Path script = Files.writeString(this.folder.resolve("script"), this.shell.quietly("completion").out());
		Path program = Files.writeString(this.folder.resolve("asynq"),
				"#!/bin/sh\necho \"$@\" > '" + this.folder + "/asked'\nprintf 'default\\nmail\\nmail:bulk\\n'\n");
		assertThat(program.toFile().setExecutable(true)).isTrue();
		String said = Command.run("bash", "-c",
				"exec 2>&-; source '" + script + "'; COMP_LINE=\"$2 $1\"; IFS=' '; "
						+ "COMP_WORDS=($COMP_LINE); case $1 in *' ') COMP_WORDS+=(''); esac; unset IFS; "
						+ "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_asynq; printf '%s\\n' \"${COMPREPLY[@]}\"",
				"bash", line, program.toString());
		return Arrays.stream(said.split("\n")).map(String::strip).filter((word) -> !word.isEmpty()).toList();
	}

}
