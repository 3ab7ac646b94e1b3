program p
  interface
    subroutine s(x)
      import :: nothing
      real :: x
    end subroutine
  end interface
end program
