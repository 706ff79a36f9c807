"""Files, git, state and launchers of one repository; knows no terminal."""
