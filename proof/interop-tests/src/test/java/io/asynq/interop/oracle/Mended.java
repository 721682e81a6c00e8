package io.asynq.interop.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The intended differences. One per line: steps | paths | versions | reason, the first
 * three with for any text and ? for any character. Unused rules are reported, unless
 * their reason begins with "Perhaps". Safe for concurrent use.
 */
final class Mended {

	private final Set<Rule> used = ConcurrentHashMap.newKeySet();

	private final List<Rule> rules;

	Mended(List<String> lines) {
		List<Rule> rules = new ArrayList<>();
		for (String line : lines) {
			String[] parts = line.split("\\s+\\|\\s+");
			if (parts.length != 4 || parts[3].isBlank()) {
				throw new IllegalArgumentException("Not 'steps | paths | versions | reason': " + line);
			}
			rules.add(new Rule(line, glob(parts[0]), glob(parts[1]), glob(parts[2]), parts[3].startsWith("Perhaps")));
		}
		this.rules = List.copyOf(rules);
	}

	boolean allows(Step step, String path, GoVersion version) {
		boolean allowed = false;
		for (Rule rule : this.rules) {
			if (rule.allows(step, path, version)) {
				this.used.add(rule);
				allowed = true;
			}
		}
		return allowed;
	}

	/**
	 * Returns the unused rules for a version.
	 */
	List<String> unused(GoVersion version) {
		return this.rules.stream()
			.filter((rule) -> !rule.optional() && rule.version().matcher(version.number()).matches()
					&& !this.used.contains(rule))
			.map(Rule::line)
			.toList();
	}

	private static Pattern glob(String text) {
		StringBuilder pattern = new StringBuilder();
		for (char symbol : text.trim().toCharArray()) {
			pattern.append(switch (symbol) {
				case '*' -> ".*";
				case '?' -> ".";
				default -> Pattern.quote(String.valueOf(symbol));
			});
		}
		return Pattern.compile(pattern.toString());
	}

	private record Rule(String line, Pattern step, Pattern path, Pattern version, boolean optional) {

		boolean allows(Step step, String path, GoVersion version) {
			return this.step.matcher(step.name()).matches() && this.path.matcher(path).matches()
					&& this.version.matcher(version.number()).matches();
		}

	}

}
