package io.asynq.cli.dash;

/** What keys can bring about beyond the screen. */
interface Outside {

	void read(Place place, Part part);

	void act(Act act);

	void stopActing();

	void redraw();

	void quit();

}
