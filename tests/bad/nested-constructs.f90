! Constructs that are nested too deeply.
program p
  implicit none
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  block; block; block; block; block; block; block; block; block; block; block; block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
  end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block; end block
end program
