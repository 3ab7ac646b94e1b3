! CONTAINS with statements after it, nested too deeply, twice.
program contains_bad
  implicit none
contains
  subroutine s
  contains
    subroutine t
    end subroutine t
  end subroutine s
  print *, 1
end program
