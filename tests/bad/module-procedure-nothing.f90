module m
  interface g
    module procedure nothing
  end interface
end module
