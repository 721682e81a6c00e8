package io.asynq.console.http;

public record ConsoleChange(Object answer, long count, int status) {

	public static ConsoleChange done(Object answer, long count) {
		return new ConsoleChange(answer, count, 200);
	}

	public static ConsoleChange begun(Object answer) {
		return new ConsoleChange(answer, 0, 202);
	}

}
