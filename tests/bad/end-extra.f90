! Ends of constructs that were never begun.
program end_extra
  implicit none
  print *, 1
  end do
  end if
  end select
  end where
  end forall
end program
