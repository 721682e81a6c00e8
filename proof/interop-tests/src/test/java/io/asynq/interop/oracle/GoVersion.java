package io.asynq.interop.oracle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.asynq.interop.peer.GoBinary;
import io.asynq.test.Tier;

/**
 * The versions of Go's library that are compared with, oldest first.
 */
enum GoVersion {

	V0_24_1("0.24.1", "-modfile=v0.24.1.mod", "-tags=asynq024"),

	V0_25_1("0.25.1", "-modfile=v0.25.1.mod", "-tags=asynq025"),

	V0_26_0("0.26.0");

	private final String number;

	private final List<String> flags;

	GoVersion(String number, String... flags) {
		this.number = number;
		this.flags = List.of(flags);
	}

	/**
	 * Returns the versions that this run compares with.
	 * @return all of them in the full tier, else the newest
	 */
	static List<GoVersion> tested() {
		return Tier.choose(List.of(V0_26_0), List.of(values()));
	}

	String number() {
		return this.number;
	}

	Path executable() {
		List<String> flags = new ArrayList<>(this.flags);
		flags.add(".");
		return GoBinary.build("go-oracle", "asynqoracle-" + this.number, flags.toArray(String[]::new));
	}

	@Override
	public String toString() {
		return "v" + this.number;
	}

}
