package io.asynq.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.opentest4j.TestAbortedException;

/**
 * Builds further Go programs; modules come from the module proxy that Go is set up with.
 */
public final class GoBinary {

	private GoBinary() {
	}

	/**
	 * Builds a program below {@code src/test}.
	 * @param source its directory there
	 * @param name the executable's name
	 * @param flags further flags of {@code go build}, and at last the package if it is
	 * not the directory's
	 * @return the executable
	 * @throws IllegalStateException if it does not build, with the compiler's words
	 */
	public static Path build(String source, String name, String... flags) {
		Path executable = GoProgram.target().resolve(name);
		Path log = GoProgram.target().resolve(name + ".build.log");
		List<String> command = new ArrayList<>(List.of("go", "build", "-o", executable.toString()));
		command.addAll(List.of(flags));
		try {
			Path directory = GoProgram.module().resolve("src/test").resolve(source);
			if (GoProgram.run(log, directory, command.toArray(String[]::new)) != 0) {
				throw new IllegalStateException(name + " does not build:\n" + Files.readString(log));
			}
			return executable;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name + " does not build", ex);
		}
	}

	/**
	 * Does for tests of other engines what {@link RequiresGo} does for Jupiter's.
	 * @throws TestAbortedException if there is no Go and none is required
	 */
	public static void require() {
		if (new RequiresGoCondition().evaluate().isDisabled()) {
			throw new TestAbortedException("These tests need Go on the PATH");
		}
	}

	/**
	 * Returns where programs and what they write are kept, below {@code target}.
	 * @return the directory
	 */
	public static Path target() {
		return GoProgram.target();
	}

	/**
	 * Returns the directory of this Maven module.
	 * @return the directory
	 */
	public static Path module() {
		return GoProgram.module();
	}

}
